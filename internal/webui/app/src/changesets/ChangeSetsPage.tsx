import { GitPullRequest } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { HistoryFilters } from '../history/HistoryFilters';
import { ListFooter, ListHeader, useCursorList } from '../shell/CursorList';
import { filtersOf } from '../shell/FilterForm';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { escapeInvisible, formatCount, formatTime } from '../values/text';
import { changeSetFilters, listChangeSets, type ChangeSet } from './changesets';
import { StatusBadge } from './StatusBadge';

/** The change sets, newest first. The filters are in the URL. */
export default function ChangeSetsPage() {
  const [params, setParams] = useSearchParams();
  const filters = filtersOf(params, changeSetFilters);
  const list = useCursorList(['changesets', filters], (cursor, signal) => listChangeSets(filters, cursor, signal));
  return (
    <div className="page">
      <div className="page-inner">
        <ListHeader title="Change sets" path="/api/changesets" query={filters} list={list} />
        <HistoryFilters
          key={params.toString()}
          label="Filters of change sets"
          names={changeSetFilters}
          filters={filters}
          onChange={setParams}
        />
        {list.isPending && <Loading subject="the change sets" />}
        {list.isError && list.items.length === 0 && (
          <LoadError error={list.error} subject="the change sets" retry={() => void list.refetch()} />
        )}
        {list.isSuccess && list.items.length === 0 && !list.hasNextPage && (
          <EmptyState icon={GitPullRequest} title="No change sets">
            {Object.keys(filters).length > 0
              ? 'No change set matches the filters.'
              : 'Turn on “Propose” above: edits are then collected, and somebody else reviews them before they are applied.'}
          </EmptyState>
        )}
        {list.items.length > 0 && <Rows changeSets={list.items} />}
        {list.data && (list.items.length > 0 || list.hasNextPage) && <ListFooter list={list} />}
      </div>
    </div>
  );
}

function Rows({ changeSets }: { changeSets: ChangeSet[] }) {
  return (
    <div className="card scroll-x" tabIndex={0} role="region" aria-label="Change sets">
      <table className="plain-table">
        <thead>
          <tr>
            <th>Status</th>
            <th>Title</th>
            <th>Author</th>
            <th className="right">Operations</th>
            <th className="right">Comments</th>
            <th>Proposed</th>
            <th>Last change</th>
          </tr>
        </thead>
        <tbody>
          {changeSets.map((changeSet) => (
            <tr key={changeSet.id}>
              <td>
                <StatusBadge status={changeSet.status} />
              </td>
              <td style={{ minWidth: '14rem' }}>
                <Link
                  className="linkbutton"
                  style={{ textDecoration: 'underline', whiteSpace: 'normal' }}
                  to={`/change-sets/${encodeURIComponent(changeSet.id)}`}
                >
                  {escapeInvisible(changeSet.title)}
                </Link>
              </td>
              <td style={{ minWidth: '6.5rem' }}>{escapeInvisible(changeSet.author)}</td>
              <td className="right">{changeSet.hidden ? '' : formatCount(changeSet.operations.length)}</td>
              <td className="right">{formatCount(changeSet.comments.length)}</td>
              <TimeCell at={changeSet.created_at} />
              <TimeCell at={changeSet.updated_at} />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TimeCell({ at }: { at: string }) {
  return (
    <td style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }} title={at}>
      {formatTime(at)}
    </td>
  );
}
