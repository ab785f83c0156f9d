import { Text } from '@mantine/core';
import { escapeInvisible, formatCount } from '../values/text';
import type { RowError } from './mapping';

const shown = 100;

/** What is wrong in which row of the file. */
export function RowErrors({ errors }: { errors: RowError[] }) {
  return (
    <>
      <div className="card" style={{ maxHeight: 200, overflow: 'auto', marginTop: 6 }} tabIndex={0} role="region" aria-label="Rows that cannot be imported">
        <table className="plain-table">
          <thead>
            <tr>
              <th className="right">Row</th>
              <th>Column</th>
              <th>Reason</th>
            </tr>
          </thead>
          <tbody>
            {errors.slice(0, shown).map((e, index) => (
              <tr key={index}>
                <td className="right">{formatCount(e.row)}</td>
                <td>{escapeInvisible(e.column)}</td>
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
