import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IndexStateCell, whileBuilding } from '../search/IndexState';
import { ConfirmDialog } from '../shell/ConfirmDialog';
import { GridTable } from '../shell/GridTable';
import { RowAction } from '../shell/RowAction';
import { LoadError } from '../shell/States';
import { notify } from '../shell/notify';
import { escapeInvisible, formatTime, pluralize } from '../values/text';
import { deleteIndex, indexesKey, listIndexes, type PropertyIndex, refreshIndexes } from './system';

/** The indexes on properties, with their state. */
export function IndexTable() {
  const queries = useQueryClient();
  const list = useQuery({
    queryKey: indexesKey,
    queryFn: listIndexes,
    staleTime: 0,
    refetchInterval: whileBuilding,
  });
  const [deleting, setDeleting] = useState<PropertyIndex | null>(null);
  return (
    <section aria-label="Indexes">
      <h2 className="section-title">Indexes</h2>
      {list.isError && <LoadError error={list.error} subject="the indexes" retry={() => void list.refetch()} />}
      {list.data?.length === 0 && <Text size="sm">No indexes</Text>}
      {list.data && list.data.length > 0 && (
        <GridTable
          label="All indexes"
          head={
            <>
              <th>Name</th>
              <th>Kind</th>
              <th>Types</th>
              <th>Properties</th>
              <th>State</th>
              <th>Used</th>
              <th aria-label="Delete" />
            </>
          }
        >
          {list.data.map((index) => (
            <IndexRow key={index.name} index={index} onDelete={() => setDeleting(index)} />
          ))}
        </GridTable>
      )}
      {deleting && (
        <ConfirmDialog
          title="Delete this index?"
          label="Delete index"
          onClose={() => setDeleting(null)}
          run={async () => {
            await deleteIndex(deleting.name);
            refreshIndexes(queries);
            setDeleting(null);
            notify(escapeInvisible(deleting.name), 'Index deleted');
          }}
        >
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Lists that use <strong>{escapeInvisible(deleting.name)}</strong> read more of the graph from then on. The data is kept.
          </Text>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** How often an index was read, as the database last stored it. */
function usageText({ reads, reads_since, last_read_at }: PropertyIndex): string {
  if (reads === null || reads_since === null) return '';
  if (last_read_at === null) return `not since ${formatTime(reads_since)}`;
  return `${pluralize(reads, 'time')}, last ${formatTime(last_read_at)}`;
}

function IndexRow({ index, onDelete }: { index: PropertyIndex; onDelete: () => void }) {
  const { name, kind, types, properties, managed, constraint } = index;
  return (
    <tr>
      <td className="mono">{escapeInvisible(name)}</td>
      <td style={{ minWidth: '6rem' }}>{constraint ? `${kind}, of a constraint` : kind}</td>
      <td>
        {types.map(escapeInvisible).join(', ') || 'all'} <span className="type-count">{index.entity}s</span>
      </td>
      <td>{properties.map(escapeInvisible).join(', ')}</td>
      <IndexStateCell index={index} />
      <td style={{ minWidth: '9rem' }}>{usageText(index)}</td>
      <td className="right">
        {managed && <RowAction label="Delete" name={`Delete ${escapeInvisible(name)}`} icon={Trash2} onClick={onDelete} />}
      </td>
    </tr>
  );
}
