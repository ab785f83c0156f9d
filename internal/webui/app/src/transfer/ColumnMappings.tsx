import { NativeSelect, Text, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { escapeInvisible, formatCount } from '../values/text';
import { kindLabels, kinds } from '../values/value';
import type { Form } from './forms';
import { countMismatches } from './kinds';
import { useLabels, usesOf, type ColumnMapping, type Mapping, type Use } from './mapping';
import type { Table } from './tables';
import type { ColumnKind } from './typedHeaders';

interface Props {
  table: Table;
  mapping: Mapping;
  mayGiveIds: boolean;
  onChange: (mapping: Mapping) => void;
}

/** One row for each column of the file: some of its values, and what it is. */
export function ColumnMappings({ table, mapping, mayGiveIds, onChange }: Props) {
  const change = (at: number, part: Partial<ColumnMapping>) =>
    onChange({ ...mapping, columns: mapping.columns.map((c, index) => (index === at ? { ...c, ...part } : c)) });
  const offered = usesOf(mapping.kind).map((use) => ({ value: use, label: useLabels[use], disabled: use === 'id' && !mayGiveIds }));
  return (
    <div className="card mapping" tabIndex={0} role="region" aria-label="Columns">
      <table className="plain-table">
        <thead>
          <tr>
            <th>Column</th>
            <th>Values</th>
            <th>Is</th>
            <th>Property</th>
            <th>Type</th>
          </tr>
        </thead>
        <tbody>
          {mapping.columns.map((c, at) => {
            const name = c.column === '' ? `column ${at + 1}` : escapeInvisible(c.column);
            return (
              <tr key={at}>
                <th scope="row">{name}</th>
                <td className="samples" title={samplesOf(table, at, 10)}>
                  {samplesOf(table, at, 3)}
                </td>
                <td>
                  <NativeSelect
                    size="xs"
                    aria-label={`${name} is`}
                    value={c.use}
                    data={offered}
                    onChange={(e) => change(at, { use: e.currentTarget.value as Use })}
                  />
                </td>
                <td>
                  {c.use === 'property' && (
                    <TextInput
                      size="xs"
                      aria-label={`Property of ${name}`}
                      value={c.property}
                      onChange={(e) => change(at, { property: e.currentTarget.value })}
                    />
                  )}
                </td>
                <td>
                  {c.use === 'property' && (
                    <KindField
                      name={name}
                      kind={c.kind}
                      form={mapping.form}
                      table={table}
                      at={at}
                      onChange={(kind) => change(at, { kind })}
                    />
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const kindOptions = [...kinds.map((each) => ({ value: each, label: kindLabels[each] })), { value: 'Json', label: 'JSON, such as lists' }];

interface KindFieldProps {
  name: string;
  kind: ColumnKind;
  form?: Form;
  table: Table;
  at: number;
  onChange: (kind: ColumnKind) => void;
}

/** The type of a column's values, and how many of them lack it. */
function KindField({ name, kind, form, table, at, onChange }: KindFieldProps) {
  const mismatches = useMemo(
    () =>
      kind === 'String'
        ? 0
        : countMismatches(
            kind,
            table.rows.map((row) => row[at]!),
            form,
          ),
    [kind, form, table, at],
  );
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={`Type of ${name}`}
        value={kind}
        data={kindOptions}
        onChange={(e) => onChange(e.currentTarget.value as ColumnKind)}
      />
      {mismatches > 0 && (
        <Text size="xs" c="red" mt={2}>
          Does not fit {formatCount(mismatches)} of {formatCount(table.rows.length)} rows
        </Text>
      )}
    </>
  );
}

/** Some different values of a column. */
function samplesOf(table: Table, at: number, count: number): string {
  const seen = new Set<string>();
  for (const row of table.rows) {
    if (row[at] !== '') seen.add(row[at]!);
    if (seen.size > count) break;
  }
  const texts = [...seen].slice(0, count).map((text) => escapeInvisible(text.slice(0, 40)));
  return texts.join(', ') + (seen.size > count ? ', …' : '');
}
