import { Text } from '@mantine/core';
import { escapeInvisible, formatCount } from '../values/text';
import { cellOfError, type RowError } from './mapping';
import type { Table } from './tables';

const shown = 100;

/** What is wrong in which row of the file. */
export function RowErrors({ errors, table }: { errors: RowError[]; table: Table }) {
  return (
    <>
      <div
        className="card"
        style={{ maxHeight: 200, overflow: 'auto', marginTop: 6 }}
        tabIndex={0}
        role="region"
        aria-label="Rows that cannot be imported"
      >
        <table className="plain-table">
          <thead>
            <tr>
              <th className="right" style={{ width: 1 }}>
                Row
              </th>
              <th>Column</th>
              <th>Value</th>
              <th>Reason</th>
            </tr>
          </thead>
          <tbody>
            {errors.slice(0, shown).map((e, index) => (
              <tr key={index}>
                <td className="right" style={{ whiteSpace: 'nowrap' }}>
                  {formatCount(e.row)}
                </td>
                <td>{escapeInvisible(e.column)}</td>
                <td>{escapeInvisible(cellOfError(table, e).slice(0, 80))}</td>
                <td>{escapeInvisible(e.message)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {errors.length > shown && (
        <Text size="sm" c="dimmed" mt={4}>
          The first {shown} of {formatCount(errors.length)} are shown.
        </Text>
      )}
    </>
  );
}
