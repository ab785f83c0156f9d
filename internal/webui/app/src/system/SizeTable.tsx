import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../shell/States';
import { formatCount, formatTime, pluralize } from '../values/text';
import { formatBytes, formatKeep, getSizes, sizesKey, type Sizes } from './system';

/** What is in the database: counts, the history and the audit with what bounds them. */
export function SizeTable() {
  const sizes = useQuery({ queryKey: sizesKey, queryFn: getSizes, staleTime: 0 });
  return (
    <section aria-label="Sizes">
      <h2 className="section-title">Sizes</h2>
      {sizes.isError && <LoadError error={sizes.error} subject="the sizes" retry={() => void sizes.refetch()} />}
      {sizes.isSuccess && <Rows sizes={sizes.data} />}
    </section>
  );
}

const secret = 'needs the permission read';
const since = (at: string | null) => (at === null ? '' : `, the oldest of ${formatTime(at)}`);

function Rows({ sizes: { nodes, edges, history, audit } }: { sizes: Sizes }) {
  return (
    <>
      <table className="values">
        <tbody>
          <tr>
            <th>Nodes</th>
            <td>{nodes === null ? secret : `${formatCount(nodes)}, with the service’s own`}</td>
          </tr>
          <tr>
            <th>Edges</th>
            <td>{edges === null ? secret : formatCount(edges)}</td>
          </tr>
          <tr>
            <th>History</th>
            <td>
              {history === null
                ? 'changes are not recorded'
                : `${pluralize(history.records, 'record')}${since(history.oldest_at)}; kept ${formatKeep(history.keep_seconds)}`}
            </td>
          </tr>
          {history !== null && (
            <tr>
              <th>Size of the history</th>
              <td>
                {history.bytes === null ? secret : `about ${formatBytes(history.bytes)}`}
                {`; at most ${formatBytes(history.max_bytes)}`}
              </td>
            </tr>
          )}
          {audit !== null && (
            <tr>
              <th>Audit</th>
              <td>{`${pluralize(audit.entries, 'entry', 'entries')}${since(audit.oldest_at)}; kept ${formatKeep(audit.keep_seconds)}`}</td>
            </tr>
          )}
        </tbody>
      </table>
      <Text size="xs" c="dimmed">
        Neo4j Community reports no bytes of a database or an index; the directory of its data on its server shows them.
      </Text>
    </>
  );
}
