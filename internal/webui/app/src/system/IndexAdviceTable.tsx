import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createIndex } from '../schema/indexes';
import { GridTable } from '../shell/GridTable';
import { LoadError } from '../shell/States';
import { notify, notifyProblem } from '../shell/notify';
import { escapeInvisible, formatCount } from '../values/text';
import { adviceKey, listAdvice, type IndexAdvice, refreshIndexes } from './system';

/** The indexes that lists of the last 30 days would have needed; each is created with one click. */
export function IndexAdviceTable() {
  const list = useQuery({ queryKey: adviceKey, queryFn: listAdvice, staleTime: 0 });
  return (
    <section aria-label="Index advice">
      <h2 className="section-title">Index advice</h2>
      {list.isError && <LoadError error={list.error} subject="the index advice" retry={() => void list.refetch()} />}
      {list.data?.length === 0 && <Text size="sm">No list of the last 30 days would have been faster with another index.</Text>}
      {list.data && list.data.length > 0 && (
        <GridTable
          label="Advised indexes"
          head={
            <>
              <th>Index</th>
              <th className="right">Lists</th>
              <th className="right">They took</th>
              <th className="right">It saves about</th>
              <th aria-label="Create" />
            </>
          }
        >
          {list.data.map((advice) => (
            <AdviceRow key={advice.would_be.name} advice={advice} />
          ))}
        </GridTable>
      )}
    </section>
  );
}

const seconds = (milliseconds: number) => `${formatCount(Math.round(milliseconds / 100) / 10)} s`;

function AdviceRow({ advice: { would_be: index, count, elapsed_ms, saved_ms } }: { advice: IndexAdvice }) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  async function create() {
    setBusy(true);
    try {
      await createIndex(index);
      refreshIndexes(queries);
      notify(escapeInvisible(index.name), 'Index created');
    } catch (error) {
      notifyProblem(error, 'The index was not created');
    } finally {
      setBusy(false);
    }
  }
  return (
    <tr>
      <td>
        {index.kind} on {escapeInvisible(index.type)}: {index.properties.map(escapeInvisible).join(', ')}
      </td>
      <td className="right">{formatCount(count)}</td>
      <td className="right">{seconds(elapsed_ms)}</td>
      <td className="right">{seconds(saved_ms)}</td>
      <td className="right">
        <Button size="compact-xs" loading={busy} onClick={() => void create()} aria-label={`Create ${escapeInvisible(index.name)}`}>
          Create
        </Button>
      </td>
    </tr>
  );
}
