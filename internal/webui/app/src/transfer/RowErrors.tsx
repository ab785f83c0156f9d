import { Text, TextInput } from '@mantine/core';
import { escapeInvisible, formatCount } from '../values/text';
import { cellOfError, type RowError } from './mapping';
import type { Table } from './tables';

const shown = 100;

interface Props {
  errors: RowError[];
  table: Table;
  /** Present where a value can be changed. */
  onMend?: (error: RowError, text: string) => void;
}

/** What is wrong in which row of the file. */
export function RowErrors({ errors, table, onMend }: Props) {
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
                <td>
                  {onMend && e.column !== '' && table.columns.includes(e.column) ? (
                    <CellField error={e} text={cellOfError(table, e)} onMend={onMend} />
                  ) : (
                    escapeInvisible(cellOfError(table, e).slice(0, 80))
                  )}
                </td>
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

/** A value of the file that is wrong. It is taken over when the field is left: each change makes a table. */
function CellField({ error, text, onMend }: { error: RowError; text: string; onMend: (error: RowError, text: string) => void }) {
  return (
    <TextInput
      size="xs"
      aria-label={`${escapeInvisible(error.column)} of row ${error.row}`}
      defaultValue={text}
      onBlur={(e) => e.currentTarget.value !== text && onMend(error, e.currentTarget.value)}
      onKeyDown={(e) => e.key === 'Enter' && e.currentTarget.blur()}
    />
  );
}
