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
  /** Called when a value is being changed. */
  onTouch?: () => void;
}

/** What is wrong in which row of the file. */
export function RowErrors({ errors, table, onMend, onTouch }: Props) {
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
            {errors.slice(0, shown).map((e, index) => {
              const text = cellOfError(table, e);
              return (
                <tr key={index}>
                  <td className="right" style={{ whiteSpace: 'nowrap' }}>
                    {formatCount(e.row)}
                  </td>
                  <td>{escapeInvisible(e.column)}</td>
                  <td>
                    {onMend && e.column !== '' && table.columns.includes(e.column) ? (
                      // The field keeps what is written in it: another cell, or another text of it, needs another field.
                      <CellField key={JSON.stringify([e.row, e.column, text])} error={e} text={text} onMend={onMend} onTouch={onTouch} />
                    ) : (
                      escapeInvisible(text.slice(0, 80))
                    )}
                  </td>
                  <td>{escapeInvisible(e.message)}</td>
                </tr>
              );
            })}
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
function CellField({
  error,
  text,
  onMend,
  onTouch,
}: Required<Pick<Props, 'onMend'>> & Pick<Props, 'onTouch'> & { error: RowError; text: string }) {
  return (
    <TextInput
      size="xs"
      aria-label={`${escapeInvisible(error.column)} of row ${error.row}`}
      defaultValue={text}
      onChange={onTouch}
      onBlur={(e) => e.currentTarget.value !== text && onMend(error, e.currentTarget.value)}
      onKeyDown={(e) => e.key === 'Enter' && e.currentTarget.blur()}
    />
  );
}
