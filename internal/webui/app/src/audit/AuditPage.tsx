import { Badge } from '@mantine/core';
import { ScrollText } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { EntityName } from '../explore/EntityName';
import { ListFooter, ListHeader, useCursorList } from '../shell/CursorList';
import { FilterForm, filtersOf, type FilterField } from '../shell/FilterForm';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { formatCount, formatTime, shortId, escapeInvisible } from '../values/text';
import { auditFilters, auditQuery, listAudit, type AuditEntry, type AuditFilters } from './audit';

/** The audit entries, newest first. The filters are in the URL. */
export default function AuditPage() {
  const [params, setParams] = useSearchParams();
  const filters: AuditFilters = filtersOf(params, auditFilters);
  const list = useCursorList(['audit', filters], (cursor, signal) => listAudit(filters, cursor, signal));
  const entries = list.items;
  return (
    <div className="page">
      <div className="page-inner">
        <ListHeader title="Audit" path="/api/admin/audit" query={auditQuery(filters)} list={list} />
        <FilterForm key={params.toString()} label="Audit filters" fields={fields} filters={filters} onChange={setParams} />
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
const fields: (FilterField & { name: keyof AuditFilters })[] = [
  { name: 'user', label: 'User', width: 130 },
  { name: 'action', label: 'Action', width: 100, choices: actions },
  { name: 'kind', label: 'Target', width: 100, choices: entityKinds },
  { name: 'outcome', label: 'Outcome', width: 100, choices: ['done', 'refused'] },
  { name: 'entity', label: 'Target ID', width: 170 },
  { name: 'request_id', label: 'Request ID' },
  { name: 'since', label: 'Since', isTime: true },
  { name: 'until', label: 'Until', isTime: true },
];

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
