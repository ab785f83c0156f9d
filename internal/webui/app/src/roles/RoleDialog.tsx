import { Button, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { emptySchema, getSchema, type Schema } from '../api/graph';
import { mayViewAs, usePermissions, useSession } from '../session/session';
import { FormFooter, useSubmit } from '../shell/Form';
import { useDiscardQuestion } from '../shell/useDiscardQuestion';
import { escapeInvisible } from '../values/text';
import { GrantEditor } from './GrantEditor';
import { assignGrantErrors, grantDraft, grantsOf, grantsText, newGrant, parseGrants, type GrantDraft, type GrantErrors } from './grants';
import { RoleQueries } from './RoleQueries';
import { RolePreview } from './RolePreview';
import { changeRole, createRole, type Role } from './roles';

const noErrors = new Map<number, GrantErrors>();

interface Props {
  /** The role to edit; null for a new one. */
  role: Role | null;
  onClose: () => void;
  onDone: (role: Role) => void;
}

/** The role as it is edited, its grants as a form and as JSON, and what is wrong with them. */
function useRoleForm(role: Role | null, onDone: Props['onDone']) {
  const [name, setName] = useState(role?.name ?? '');
  const [description, setDescription] = useState(role?.description ?? '');
  const [queries, setQueries] = useState(role?.queries ?? []);
  const [grants, setGrants] = useState<GrantDraft[]>(() => role?.grants.map(grantDraft) ?? [newGrant()]);
  // The JSON as it is edited, and what is wrong with it; null while it follows the form.
  const [json, setJson] = useState<{ text: string; error: string } | null>(null);
  const [attempted, setAttempted] = useState(false);
  const [sent, setSent] = useState(grants);
  const parsed = useMemo(() => grantsOf(grants), [grants]);
  const saved = useMemo(() => (role ? grantsText(grantsOf(role.grants.map(grantDraft)).grants) : ''), [role]);
  const text = grantsText(parsed.grants);
  const change = {
    ...(description !== (role?.description ?? '') ? { description } : {}),
    ...(text !== saved ? { grants: parsed.grants } : {}),
    ...([...queries].sort().join() !== (role?.queries ?? []).join() ? { queries } : {}),
  };
  const isEntered = name !== '' || description !== '' || queries.length > 0 || grants.some((grant) => grant.type !== '');
  const changed = role ? Object.keys(change).length > 0 : isEntered;

  const request = useSubmit(async () => {
    setSent(grants);
    onDone(
      role
        ? await changeRole(role.name, change)
        : await createRole({ name, ...(description ? { description } : {}), grants: parsed.grants, queries }),
    );
  });
  const { problem } = request;
  const ofService = problem ? assignGrantErrors(sent, problem) : noErrors;
  const errors = attempted && parsed.errors.size > 0 ? parsed.errors : ofService;
  const queriesError = problem?.details.find(({ field }) => /^queries\b/.test(field))?.message;
  const isAssigned = ofService.size > 0 || problem?.field('name') || problem?.field('description') || queriesError;
  const unassigned = problem && !isAssigned ? problem.text : null;

  const isComplete = parsed.errors.size === 0 && !json?.error;

  function editGrants(next: GrantDraft[]) {
    setGrants(next);
    setJson(null);
    request.clearProblem();
  }
  function editJson(next: string) {
    request.clearProblem();
    try {
      setGrants(parseGrants(next));
      setJson({ text: next, error: '' });
    } catch (error) {
      setJson({ text: next, error: error instanceof Error ? error.message : String(error) });
    }
  }
  function submit(event: React.FormEvent) {
    setAttempted(true);
    if (isComplete) return request.submit(event);
    event.preventDefault();
  }

  return {
    name,
    setName,
    description,
    setDescription,
    queries,
    setQueries,
    queriesError,
    grants,
    editGrants,
    parsedGrants: parsed.grants,
    text,
    jsonText: json?.text ?? text,
    jsonError: json?.error || undefined,
    editJson,
    changed,
    problem,
    errors,
    unassigned,
    isComplete,
    hasIncompleteGrants: attempted && parsed.errors.size > 0,
    busy: request.busy,
    submit,
  };
}

/** Creates or edits a role: its grants as a form, and as JSON beside it. Both can be edited. */
export function RoleDialog({ role, onClose, onDone }: Props) {
  const may = usePermissions();
  const { me } = useSession();
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.see });
  const form = useRoleForm(role, onDone);
  const { name, description, grants, problem, errors, isComplete } = form;
  const { question, asking, close } = useDiscardQuestion(form.changed, onClose);

  return (
    <>
      <Modal
        opened
        onClose={close}
        title={role ? `Role ${escapeInvisible(role.name)}` : 'New role'}
        size="min(1180px, 96vw)"
        closeOnClickOutside={false}
        closeOnEscape={!asking}
      >
        <form onSubmit={form.submit} autoComplete="off">
          <Stack gap="sm">
            {!role && (
              <TextInput
                label="Name"
                description="Letters, digits, - _ . and spaces"
                required
                withAsterisk={false}
                maxLength={64}
                value={name}
                onChange={(e) => form.setName(e.currentTarget.value)}
                error={problem?.field('name')}
                data-autofocus
              />
            )}
            <TextInput
              label="Description"
              maxLength={1000}
              value={description}
              onChange={(e) => form.setDescription(e.currentTarget.value)}
              error={problem?.field('description')}
              data-autofocus={role !== null || undefined}
            />
            <RoleQueries value={form.queries} error={form.queriesError} onChange={form.setQueries} />
            <div className="role-editor">
              <GrantList grants={grants} errors={errors} schema={schema.data ?? emptySchema} onChange={form.editGrants} />
              <Textarea
                label="Grants as JSON"
                description="As in the API; the form follows it"
                autosize
                minRows={12}
                maxRows={28}
                spellCheck={false}
                value={form.jsonText}
                onChange={(e) => form.editJson(e.currentTarget.value)}
                error={form.jsonError}
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.78rem' } }}
              />
            </div>
            {mayViewAs(me) && <RolePreview grants={isComplete ? form.parsedGrants : null} text={form.text} />}
            <FormFooter
              label={role ? 'Save' : 'Create role'}
              error={form.unassigned}
              busy={form.busy}
              disabled={role !== null && !form.changed}
              onCancel={close}
            >
              {form.hasIncompleteGrants && (
                <Text size="sm" c="red" role="alert">
                  Some grants are not complete.
                </Text>
              )}
            </FormFooter>
          </Stack>
        </form>
      </Modal>
      {question}
    </>
  );
}

interface GrantListProps {
  grants: GrantDraft[];
  errors: Map<number, GrantErrors>;
  schema: Schema;
  onChange: (grants: GrantDraft[]) => void;
}

function GrantList({ grants, errors, schema, onChange }: GrantListProps) {
  return (
    <div>
      <h3 className="section-title">Grants: what one of them allows is allowed</h3>
      {grants.map((grant, index) => (
        <GrantEditor
          key={grant.key}
          grant={grant}
          number={index + 1}
          schema={schema}
          errors={errors.get(grant.key)}
          onChange={(next) => onChange(grants.map((each) => (each.key === next.key ? next : each)))}
          onRemove={() => onChange(grants.filter((each) => each.key !== grant.key))}
        />
      ))}
      {grants.length === 0 && (
        <Text size="sm" c="dimmed" mb="xs">
          Without grants the role allows nothing.
        </Text>
      )}
      <Button size="xs" variant="default" leftSection={<Plus size={14} />} onClick={() => onChange([...grants, newGrant()])}>
        Add a grant
      </Button>
    </div>
  );
}
