import { Badge, Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { ScrollText } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Link, useSearchParams } from 'react-router';
import { EntityName } from '../explore/EntityName';
import { ListFooter, ListHeader, useCursorList } from '../shell/CursorList';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { formatCount, formatTime, shortId, escapeInvisible } from '../values/text';
import { auditFilters, auditQuery, listAudit, type AuditEntry, type AuditFilters } from './audit';

/** The audit entries, newest first. The filters are in the URL. */
export default function AuditPage() {
  const [params, setParams] = useSearchParams();
  const filters: AuditFilters = Object.fromEntries(auditFilters.flatMap((name) => (params.get(name) ? [[name, params.get(name)!]] : [])));
  const list = useCursorList(['audit', filters], (cursor, signal) => listAudit(filters, cursor, signal));
  const entries = list.items;
  return (
    <div className="page">
      <div className="page-inner">
        <ListHeader title="Audit" path="/api/admin/audit" query={auditQuery(filters)} list={list} />
        <Filters
          key={params.toString()}
          filters={filters}
          onChange={(next) => setParams(new URLSearchParams(Object.entries(next).filter(([, value]) => value)))}
        />
        {list.isPending && <Loading subject="the audit" />}
        {list.isError && entries.length === 0 && <LoadError error={list.error} subject="the audit" retry={() => void list.refetch()} />}
        {list.isSuccess && entries.length === 0 && !list.hasNextPage && (
          <EmptyState icon={ScrollText} title="No entries">
            {Object.keys(filters).length > 0 ? 'No entry matches the filters.' : 'Nothing has been recorded yet.'}
          </EmptyState>
        )}
        {entries.length > 0 && <Entries entries={entries} />}
        {list.data && <ListFooter list={list} />}
      </div>
    </div>
  );
}

// Records, so that the compiler names a value of the API that is missing here.
const actions = Object.keys({
  create: 0,
  update: 0,
  delete: 0,
  import: 0,
  login: 0,
  logout: 0,
  request: 0,
  view: 0,
  propose: 0,
  comment: 0,
  approve: 0,
  reject: 0,
  withdraw: 0,
  apply: 0,
  run: 0,
} satisfies Record<AuditEntry['action'], 0>);
const entityKinds = Object.keys({
  node: 0,
  edge: 0,
  user: 0,
  role: 0,
  token: 0,
  type: 0,
  search_index: 0,
  index: 0,
  history: 0,
  changeset: 0,
  webhook: 0,
  saved_view: 0,
  query: 0,
  session: 0,
  route: 0,
} satisfies Record<AuditEntry['kind'], 0>);
const withAny = (of: string[]) => [{ value: '', label: 'any' }, ...of];

function Filters({ filters, onChange }: { filters: AuditFilters; onChange: (next: AuditFilters) => void }) {
  const [draft, setDraft] = useState(filters);
  const edit = (name: keyof AuditFilters) => (event: { currentTarget: { value: string } }) =>
    setDraft({ ...draft, [name]: event.currentTarget.value });
  // A selection applies immediately, a text when the form is submitted. It is kept as well, since a second selection may come before the
  // address of the first is rendered.
  const apply = (name: keyof AuditFilters) => (event: { currentTarget: { value: string } }) => {
    const next = { ...draft, [name]: event.currentTarget.value };
    setDraft(next);
    onChange(next);
  };
  function submit(event: FormEvent) {
    event.preventDefault();
    onChange(draft);
  }
  return (
    <form onSubmit={submit} role="search" aria-label="Audit filters">
      <Group gap="xs" align="end" mb="md">
        <TextInput size="xs" w={130} label="User" value={draft.user ?? ''} onChange={edit('user')} />
        <NativeSelect size="xs" w={100} label="Action" data={withAny(actions)} value={draft.action ?? ''} onChange={apply('action')} />
        <NativeSelect size="xs" w={100} label="Target" data={withAny(entityKinds)} value={draft.kind ?? ''} onChange={apply('kind')} />
        <NativeSelect
          size="xs"
          w={100}
          label="Outcome"
          data={withAny(['done', 'refused'])}
          value={draft.outcome ?? ''}
          onChange={apply('outcome')}
        />
        <TextInput size="xs" w={170} label="Target ID" value={draft.entity ?? ''} onChange={edit('entity')} spellCheck={false} />
        <TextInput size="xs" w={150} label="Request ID" value={draft.request_id ?? ''} onChange={edit('request_id')} spellCheck={false} />
        <TextInput size="xs" type="datetime-local" step={1} label="Since" value={draft.since ?? ''} onChange={edit('since')} />
        <TextInput size="xs" type="datetime-local" step={1} label="Until" value={draft.until ?? ''} onChange={edit('until')} />
        <Button size="xs" type="submit">
          Apply
        </Button>
        {Object.keys(filters).length > 0 && (
          <Button size="xs" variant="subtle" onClick={() => onChange({})}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}

function Entries({ entries }: { entries: AuditEntry[] }) {
  return (
    <div className="card scroll-x" tabIndex={0} role="region" aria-label="Audit entries">
      <table className="plain-table">
        <thead>
          <tr>
            <th>Time</th>
            <th>User</th>
            <th>Action</th>
            <th>Target</th>
            <th>Address</th>
            <th>Request ID</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            <EntryRow key={index} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  return (
    <tr>
      <td style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }} title={entry.at}>
        {formatTime(entry.at)}
      </td>
      <td style={{ minWidth: '7rem' }}>
        {entry.user === null ? <span style={{ color: 'var(--muted)' }}>unknown</span> : escapeInvisible(entry.user)}
      </td>
      <td>
        {entry.action}
        {entry.count > 1 && <span className="type-count"> × {formatCount(entry.count)}</span>}
        {entry.outcome === 'refused' && (
          <Badge ml={6} tt="none" size="sm" radius="sm" variant="default" title="refused">
            refused{entry.code ? `: ${entry.code}` : ''}
          </Badge>
        )}
        {entry.fields.length > 0 && <div className="type-count">{entry.fields.map(escapeInvisible).join(', ')}</div>}
      </td>
      <td>
        {entry.kind} {entry.name !== null && <strong style={{ fontWeight: 550 }}>{escapeInvisible(entry.name)}</strong>}{' '}
        <Target entry={entry} />
      </td>
      <td style={{ whiteSpace: 'nowrap' }}>{entry.address ?? ''}</td>
      <td className="mono" style={{ whiteSpace: 'nowrap' }} title={entry.request_id ?? undefined}>
        {entry.request_id === null ? '' : shortId(entry.request_id)}
      </td>
    </tr>
  );
}

/** The entity of an entry, as a link if it is a node, an edge or a change set. */
function Target({ entry }: { entry: AuditEntry }) {
  if (entry.entity === null) return null;
  if (entry.kind === 'node' || entry.kind === 'edge') {
    return <EntityName kind={entry.kind} id={entry.entity} type={entry.name} tab="properties" />;
  }
  if (entry.kind === 'changeset') {
    return (
      <Link className="linkbutton mono" style={{ textDecoration: 'underline' }} to={`/change-sets/${entry.entity}`} title={entry.entity}>
        {shortId(entry.entity)}
      </Link>
    );
  }
  return (
    <span className="mono" title={entry.entity}>
      {entry.kind === 'route' ? escapeInvisible(entry.entity) : shortId(entry.entity)}
    </span>
  );
}
