import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ArchiveRestore, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { refetchGraph } from '../explore/lists';
import { explorePath } from '../explore/url';
import { usePermissions } from '../session/session';
import { ListFooter, ListHeader, useCursorList } from '../shell/CursorList';
import { notify, notifyProblem } from '../shell/notify';
import { EmptyState, Loading } from '../shell/States';
import { captionOrId, escapeInvisible, formatCount, formatTime, pluralize, shortId } from '../values/text';
import { filtersOf } from '../shell/FilterForm';
import { HistoryFilters } from './HistoryFilters';
import { HistoryError } from './HistoryError';
import { hasConflicts, listTrash, trashFilters, undoChanges, type DeletedEntity } from './history';
import { UndoDialog } from './UndoDialog';

/** The deleted nodes and edges that can be restored, newest first. The filters are in the URL. */
export default function TrashPage() {
  const [params, setParams] = useSearchParams();
  const filters = filtersOf(params, trashFilters);
  const list = useCursorList(['trash', filters], (cursor, signal) => listTrash(filters, cursor, signal));
  const entries = list.items;
  return (
    <div className="page">
      <div className="page-inner">
        <ListHeader title="Trash" path="/api/trash" query={filters} list={list} />
        <HistoryFilters key={params.toString()} label="Trash filters" names={trashFilters} filters={filters} onChange={setParams} />
        {list.isPending && <Loading subject="the trash" />}
        {list.isError && entries.length === 0 && <HistoryError error={list.error} subject="the trash" retry={() => void list.refetch()} />}
        {list.isSuccess && entries.length === 0 && !list.hasNextPage && (
          <EmptyState icon={Trash2} title="The trash is empty">
            {Object.keys(filters).length > 0
              ? 'No deleted node or edge matches the filters.'
              : 'Nodes and edges that are deleted through the gateway are listed here.'}
          </EmptyState>
        )}
        {entries.length > 0 && <Entries entries={entries} />}
        {list.data && (entries.length > 0 || list.hasNextPage) && <ListFooter list={list} />}
      </div>
    </div>
  );
}

function Entries({ entries }: { entries: DeletedEntity[] }) {
  const [refused, setRefused] = useState<DeletedEntity | null>(null);
  return (
    <>
      <div className="card scroll-x" tabIndex={0} role="region" aria-label="Deleted nodes and edges">
        <table className="plain-table">
          <thead>
            <tr>
              <th>Deleted</th>
              <th>User</th>
              <th>Kind</th>
              <th>Type</th>
              <th>Name</th>
              <th className="right">Edges</th>
              <th aria-label="Restore" />
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <EntryRow key={entry.change} entry={entry} onRefused={() => setRefused(entry)} />
            ))}
          </tbody>
        </table>
      </div>
      {refused && (
        <UndoDialog
          target={{ change: refused.change }}
          title={`Restore ${nameOf(refused)}`}
          names={new Map([[refused.id, nameOf(refused)]])}
          onClose={() => setRefused(null)}
        />
      )}
    </>
  );
}

/** The caption that the entity had, else its type and the end of its id. */
const nameOf = (entry: DeletedEntity) => escapeInvisible(entry.caption || `${entry.type ?? 'no label'} ${shortId(entry.id)}`);

function EntryRow({ entry, onRefused }: { entry: DeletedEntity; onRefused: () => void }) {
  const queries = useQueryClient();
  const may = usePermissions();
  const [busy, setBusy] = useState(false);

  async function restore() {
    setBusy(true);
    try {
      const { undone } = await undoChanges({ change: entry.change });
      notify(undone > 1 ? `${pluralize(undone - 1, 'edge')} restored with it.` : '', `${nameOf(entry)} restored`);
      refetchGraph(queries);
    } catch (error) {
      if (hasConflicts(error)) onRefused();
      else notifyProblem(error, `${nameOf(entry)} was not restored`);
    }
    setBusy(false);
  }

  return (
    <tr>
      <td style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }} title={entry.deleted_at}>
        {formatTime(entry.deleted_at)}
      </td>
      <td style={{ minWidth: '6.5rem' }}>
        {entry.user === null ? <span style={{ color: 'var(--muted)' }}>unknown</span> : escapeInvisible(entry.user)}
      </td>
      <td>{entry.kind}</td>
      <td>{entry.type === null ? <span style={{ color: 'var(--muted)' }}>no label</span> : escapeInvisible(entry.type)}</td>
      <td>
        <Link
          className={entry.caption ? 'linkbutton' : 'linkbutton mono'}
          style={{ textDecoration: 'underline' }}
          to={explorePath({ kind: entry.kind, type: entry.type, open: { kind: entry.kind, id: entry.id }, tab: 'history' })}
          title={`${entry.id}: show its history`}
        >
          {captionOrId(entry.caption, entry.id)}
        </Link>
        {entry.caption && (
          <span className="mono" style={{ color: 'var(--muted)' }}>
            {' '}
            {shortId(entry.id)}
          </span>
        )}
      </td>
      <td className="right">{entry.kind === 'node' ? formatCount(entry.edges) : ''}</td>
      <td className="right">
        {may[entry.kind].create && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<ArchiveRestore size={13} aria-hidden />}
            loading={busy}
            aria-label={`Restore ${nameOf(entry)}`}
            onClick={() => void restore()}
          >
            Restore
          </Button>
        )}
      </td>
    </tr>
  );
}
