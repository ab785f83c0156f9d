import { Autocomplete, Button, Group, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { Problem } from '../api/problem';
import { useSubmit } from '../shell/Form';
import { listUsers } from '../users/users';
import { escapeInvisible } from '../values/text';
import {
  explainRequest,
  formOf,
  methods,
  needsId,
  outcomeText,
  requestOf,
  requestTemplates,
  type ExplainedRequest,
  type Explanation,
  type RequestForm,
} from './explain';

const templateOptions = [...requestTemplates.map(({ value, label }) => ({ value, label })), { value: 'other', label: 'Another request' }];

const firstForm: RequestForm = { template: 'see-node', id: '', method: 'GET', path: '/api/nodes' };

/** Explains why a request of a user is allowed or refused. The URL has the request, without its body. */
export default function ExplainPage() {
  const [params, setParams] = useSearchParams();
  const users = useQuery({ queryKey: ['users'], queryFn: listUsers });
  const [user, setUser] = useState(params.get('user') ?? '');
  const [form, setForm] = useState(() => (params.has('path') ? formOf(params.get('method') ?? 'GET', params.get('path')!) : firstForm));
  const [body, setBody] = useState('');
  const [explained, setExplained] = useState<{ request: ExplainedRequest; explanation: Explanation } | null>(null);
  const request = { user: user.trim(), ...requestOf(form) };
  const { problem, busy, submit, run } = useSubmit(explain);
  async function explain() {
    setExplained(null);
    setParams(request, { replace: true });
    setExplained({
      request,
      explanation: await explainRequest(request, request.method === 'GET' || request.method === 'DELETE' ? '' : body),
    });
  }
  useEffect(() => {
    if (params.get('user') && params.has('path') && request.method === 'GET') void run(explain); // of a link that names all
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const bodyError = problem?.details
    .filter(({ field }) => /^body\b/.test(field))
    .map(({ field, message }) => `${field.replace(/^body\.?/, '')} ${message}`.trim())
    .join('; ');
  const unassigned = problem && !['user', 'method', 'path'].some((field) => problem.field(field)) && !bodyError;

  return (
    <div className="page">
      <div className="page-inner">
        <Group mb="xs">
          <h1 style={{ margin: 0, fontSize: '1.2rem' }}>Why?</h1>
        </Group>
        <Text size="sm" c="dimmed" mb="md" maw={720}>
          Shows what a request of a user would get, as far as permissions and roles decide it, and which grants decide. Nothing is run.
        </Text>
        <form onSubmit={submit} autoComplete="off" aria-label="Request to explain">
          <Group gap="sm" align="flex-start">
            <Autocomplete
              w={200}
              label="User"
              required
              withAsterisk={false}
              data={(users.data?.users ?? []).map((each) => each.username)}
              value={user}
              onChange={setUser}
              error={problem?.field('user')}
              data-autofocus
            />
            <NativeSelect
              w={180}
              label="Request"
              data={templateOptions}
              value={form.template}
              onChange={(e) => setForm({ ...form, ...requestOf(form), template: e.currentTarget.value })}
            />
            <RequestFields form={form} problem={problem} onChange={(part) => setForm({ ...form, ...part })} />
            <Button type="submit" mt={21} loading={busy}>
              Explain
            </Button>
          </Group>
          {request.method !== 'GET' && request.method !== 'DELETE' && (
            <Textarea
              mt="sm"
              maw={740}
              label="Body, as JSON"
              description="May be left out; type, source_id, target_id and properties are evaluated"
              autosize
              minRows={3}
              maxRows={14}
              spellCheck={false}
              value={body}
              onChange={(e) => setBody(e.currentTarget.value)}
              error={bodyError || undefined}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8rem' } }}
            />
          )}
          {unassigned && (
            <Text size="sm" c="red" mt="sm" role="alert">
              {problem.text}
            </Text>
          )}
        </form>
        {explained && <Outcome request={explained.request} explanation={explained.explanation} />}
      </div>
    </div>
  );
}

interface FieldsProps {
  form: RequestForm;
  problem: Problem | null;
  onChange: (part: Partial<RequestForm>) => void;
}

/** What a request needs besides its template. */
function RequestFields({ form, problem, onChange }: FieldsProps) {
  return (
    <>
      {needsId(form) && (
        <TextInput
          w={340}
          label={form.template === 'run-query' ? 'Name of the query' : 'ID'}
          required
          withAsterisk={false}
          spellCheck={false}
          value={form.id}
          onChange={(e) => onChange({ id: e.currentTarget.value })}
          error={problem?.field('path')}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8rem' } }}
        />
      )}
      {form.template === 'other' && (
        <>
          <NativeSelect
            w={110}
            label="Method"
            data={methods}
            value={form.method}
            onChange={(e) => onChange({ method: e.currentTarget.value })}
            error={problem?.field('method')}
          />
          <TextInput
            w={340}
            label="Path, with its query"
            placeholder="/api/nodes?type=Person"
            required
            withAsterisk={false}
            spellCheck={false}
            value={form.path}
            onChange={(e) => onChange({ path: e.currentTarget.value })}
            error={problem?.field('path')}
          />
        </>
      )}
    </>
  );
}

function Outcome({ request, explanation }: { request: ExplainedRequest; explanation: Explanation }) {
  const { allowed, code, decided_by: decisions, checks } = explanation;
  return (
    <section aria-label="Explanation" className="explanation">
      <div role="status">
        <h2 className={allowed ? 'verdict allowed' : 'verdict refused'}>
          {allowed ? <CircleCheck size={20} aria-hidden /> : <CircleX size={20} aria-hidden />}
          {allowed ? 'Allowed' : `Refused: ${code}`}
        </h2>
      </div>
      <p className="change-note">
        <span className="mono">
          {request.method} {escapeInvisible(request.path)}
        </span>{' '}
        by {escapeInvisible(request.user)}. {outcomeText(code)}
      </p>
      {decisions.length > 0 && (
        <>
          <h3 className="section-title">Decided by</h3>
          <div className="card scroll-x" tabIndex={0} role="region" aria-label="Deciding grants">
            <table className="plain-table">
              <thead>
                <tr>
                  <th>Role</th>
                  <th>Grant</th>
                  <th>Reason</th>
                </tr>
              </thead>
              <tbody>
                {decisions.map(({ role, grant, reason }, index) => (
                  <tr key={index}>
                    <td>
                      {role === null ? (
                        <span style={{ color: 'var(--muted)' }}>no role</span>
                      ) : (
                        <Link className="linkbutton" style={{ textDecoration: 'underline' }} to={`/roles?${new URLSearchParams({ role })}`}>
                          {escapeInvisible(role)}
                        </Link>
                      )}
                    </td>
                    <td>{grant === null ? '' : grant + 1}</td>
                    <td>{escapeInvisible(reason)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <h3 className="section-title">Checks, in their order</h3>
      <ol className="checks">
        {checks.map(({ check, passed, detail }, index) => (
          <li key={index}>
            {passed ? <CircleCheck size={15} aria-hidden /> : <CircleX size={15} aria-hidden />}
            <span>
              <strong>{check}</strong> {passed ? 'passed' : 'failed'}: {escapeInvisible(detail)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
