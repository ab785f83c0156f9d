import { Autocomplete, Button, Checkbox, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { getSchema, type EntityKind, type Schema } from '../api/graph';
import { asProblem } from '../api/problem';
import { propertiesOf } from '../explore/columns';
import { usePermissions } from '../session/session';
import { FormError } from '../shell/Form';
import { Loading } from '../shell/States';
import { escapeInvisible, formatCount, pluralize } from '../values/text';
import { checkRows, importOf, leaveOutEqual, type Checked } from './checking';
import type { EqualRow } from './duplicates';
import { detectForm, formLabels, forms, type Form } from './forms';
import { ColumnMappings } from './ColumnMappings';
import { EndKeys, ExistingKey } from './EndKeys';
import { checkMapping, proposeMapping, type MappedRow, type Mapping, type RowError } from './mapping';
import { countFilledRows, countRows, mend, type TableRows } from './outcome';
import { RecipeBar } from './RecipeBar';
import { RowErrors } from './RowErrors';
import { readTable, type Table } from './tables';
import { parseHeader } from './typedHeaders';

/** Rows of a file that were not imported, to be mended. */
export interface Unfinished {
  table: Table;
  mapping: Mapping;
  errors: RowError[];
}

interface Props {
  file: File;
  unfinished?: Unfinished | undefined;
  onCancel: () => void;
  onImport: (lines: Blob, rows: TableRows) => void;
}

/** Maps the columns of a CSV or Excel file to nodes or edges, checks the rows and imports those that are right. */
export function TableImport(props: Props) {
  const table = useQuery({
    queryKey: ['table', props.file.name, props.file.size, props.file.lastModified],
    queryFn: () => readTable(props.file),
    enabled: !props.unfinished,
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  });
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema });
  if (table.isError || schema.isLoadingError) {
    return (
      <Stack gap="md">
        <Text size="sm" c="red" role="alert">
          {table.isError ? (table.error instanceof Error ? table.error.message : 'The file cannot be read') : asProblem(schema.error).text}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onCancel}>
            Back
          </Button>
        </Group>
      </Stack>
    );
  }
  const read = props.unfinished?.table ?? table.data;
  if (!read || !schema.data) return <Loading subject={escapeInvisible(props.file.name)} />;
  return <MappingForm {...props} read={read} schema={schema.data} />;
}

const nameOf = (file: File) => file.name.replace(/\.\w+$/, '');

/** The type of the file's name, if there is one, in its spelling. */
function typeOf(file: File, types: string[]): string {
  const name = nameOf(file).toLowerCase();
  return types.find((type) => [name, name.replace(/s$/, '')].includes(type.toLowerCase())) ?? '';
}

function MappingForm({ file, read, schema, unfinished, onCancel, onImport }: Props & { read: Table; schema: Schema }) {
  const may = usePermissions();
  const typesOf = (kind: EntityKind) => (kind === 'node' ? schema.node_types : schema.edge_types).map((t) => t.type);
  const check = useCheck(read, schema, unfinished);
  const { table, checked, mended } = check;
  const [mapping, setMapping] = useState<Mapping>(() => {
    if (unfinished) return unfinished.mapping;
    const hasEnds = table.columns.some((column) => parseHeader(column).role === 'START_ID');
    const isEdge =
      hasEnds || !may.node.create || (may.edge.create && typeOf(file, typesOf('node')) === '' && typeOf(file, typesOf('edge')) !== '');
    const kind = isEdge ? 'edge' : 'node';
    return proposeMapping(table, kind, typeOf(file, typesOf(kind)), schema, detectForm(table.rows));
  });
  const [leavesOutEqual, setLeavesOutEqual] = useState(false);
  const change = (next: Mapping) => {
    setMapping(next);
    check.forget();
  };
  const incompleteReason = checkMapping(mapping);
  const propose = (kind: EntityKind, type: string, form = mapping.form) =>
    change({ ...proposeMapping(table, kind, type, schema, form), ...(kind === mapping.kind ? keysOf(mapping) : {}) });

  const right = checked && (leavesOutEqual ? leaveOutEqual(checked) : checked);
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {escapeInvisible(file.name)}: {pluralize(countFilledRows(table), 'row')}, {pluralize(table.columns.length, 'column')}
      </Text>
      <Group align="flex-end" gap="sm">
        {may.node.create && may.edge.create && (
          <SegmentedControl
            aria-label="Rows are"
            value={mapping.kind}
            onChange={(kind) => propose(kind as EntityKind, '')}
            data={[
              { value: 'node', label: 'Nodes' },
              { value: 'edge', label: 'Edges' },
            ]}
          />
        )}
        <Autocomplete
          w={240}
          label="Type"
          description="An existing type or a new one"
          openOnFocus={false}
          data={typesOf(mapping.kind)}
          value={mapping.type}
          onChange={(type) => change(withType(table, mapping, type, schema))}
          autoFocus
        />
        <FormField form={mapping.form ?? 'plain'} onChange={(form) => propose(mapping.kind, mapping.type, form)} />
        <RecipeBar table={table} mapping={mapping} onApply={change} />
      </Group>
      {mapping.kind === 'edge' && <EndKeys mapping={mapping} schema={schema} onChange={change} />}
      <ColumnMappings table={table} mapping={mapping} onChange={change} mayGiveIds={may.node.edit || may.edge.edit} />
      {may[mapping.kind].edit && <ExistingKey mapping={mapping} schema={schema} onChange={change} />}
      {checked && (
        <CheckResult
          checked={checked}
          table={table}
          isMended={mended}
          leavesOutEqual={leavesOutEqual}
          onLeaveOutEqual={setLeavesOutEqual}
          onMend={check.mendValue}
          onTouch={check.touch}
        />
      )}
      <MappingFooter
        check={check}
        incompleteReason={incompleteReason}
        right={right}
        onCancel={onCancel}
        onCheck={() => void check.run(mapping)}
        onImport={(rows, leftOut) => onImport(importOf(mapping, rows), { table, mapping, imported: rows.map((r) => r.row), leftOut })}
      />
    </Stack>
  );
}

interface FooterProps {
  check: ReturnType<typeof useCheck>;
  incompleteReason: string | null;
  /** What would be imported. */
  right: Checked | null;
  onCancel: () => void;
  onCheck: () => void;
  onImport: (rows: MappedRow[], leftOut: RowError[]) => void;
}

/** What is missing, or what the check found, and the buttons: in view also in a window that is lower than the dialog. */
function MappingFooter({ check, incompleteReason, right, onCancel, onCheck, onImport }: FooterProps) {
  const { checked, mended, busy, problem } = check;
  const found = checked && (mended ? 'Change the values or the mapping, then check the rows again.' : foundText(checked));
  return (
    <div className="form-footer">
      {problem !== null ? (
        <FormError text={problem} />
      ) : (
        <Text size="sm" c={checked ? undefined : 'dimmed'} role="status">
          {found ?? incompleteReason}
        </Text>
      )}
      <Group justify="flex-end" gap="sm" mt="xs">
        <Button variant="default" onClick={onCancel}>
          Back
        </Button>
        <Button variant={checked && !mended ? 'default' : 'filled'} disabled={incompleteReason !== null} loading={busy} onClick={onCheck}>
          Check
        </Button>
        {right && !mended && (
          <Button disabled={right.rows.length === 0} onClick={() => onImport(right.rows, right.errors)}>
            Import {pluralize(right.rows.length, 'row')}
          </Button>
        )}
      </Group>
    </div>
  );
}

function foundText({ rows, errors, changing, checkedCount, uncheckedReason }: Checked): string {
  const failed = countRows(errors);
  const serviceText =
    checkedCount > 0 ? `The service has checked the first ${checkedCount}; nothing is written yet.` : (uncheckedReason ?? '');
  const changeText = changing === null ? '' : ` ${pluralize(changing, 'row')} of them will change a node that exists.`;
  return `${pluralize(rows.length, 'row')} can be imported${failed > 0 ? `, ${failed} cannot` : ''}.${changeText} ${serviceText}`;
}

/** How the mapping finds entities. */
const keysOf = ({ ends, existing }: Mapping) => ({ ends, ...(existing === undefined ? {} : { existing }) });

/** How the file writes numbers and dates. */
function FormField({ form, onChange }: { form: Form; onChange: (form: Form) => void }) {
  return (
    <NativeSelect
      label="Numbers and dates"
      value={form}
      data={forms.map((each) => ({ value: each, label: formLabels[each] }))}
      onChange={(e) => onChange(e.currentTarget.value as Form)}
    />
  );
}

/** The mapping of another type, with the types that the properties have in its other entities, where the user has changed none. */
function withType(table: Table, m: Mapping, type: string, schema: Schema): Mapping {
  if ([m.type, type].every((name) => propertiesOf(schema, m.kind, name).length === 0)) return { ...m, type };
  const before = proposeMapping(table, m.kind, m.type, schema, m.form);
  const after = proposeMapping(table, m.kind, type, schema, m.form);
  const columns = m.columns.map((c, index) =>
    c.kind === before.columns[index]!.kind && c.property === c.column ? { ...c, kind: after.columns[index]!.kind } : c,
  );
  return { ...m, type, columns };
}

/** The rows of a table, which may be mended, and what their last check found. */
function useCheck(read: Table, schema: Schema, unfinished: Unfinished | undefined) {
  const [table, setTable] = useState(read);
  const [checked, setChecked] = useState<Checked | null>(() => (unfinished ? notChecked(unfinished.errors) : null));
  // The values on the page are no longer, or not yet, those that were checked.
  const [mended, setMended] = useState(unfinished !== undefined);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // What changes while a check runs is not checked by it.
  const changes = useRef(0);
  const forget = () => {
    changes.current++;
    setChecked(null);
    setProblem(null);
  };
  // With the first letter, not when the field is left: the buttons would move between the press and the release of a click on them.
  const touch = () => {
    changes.current++;
    setMended(true);
  };
  const mendValue = (error: RowError, text: string) => {
    setTable(mend(table, error, text));
    touch();
  };
  async function run(mapping: Mapping) {
    setBusy(true);
    setProblem(null);
    try {
      const begun = changes.current;
      setChecked(await checkRows(table, mapping, schema));
      setMended(changes.current !== begun);
    } catch (error) {
      setProblem(error instanceof Error && !('code' in error) ? error.message : asProblem(error).text);
    }
    setBusy(false);
  }
  return { table, checked, mended, busy, problem, forget, touch, mendValue, run };
}

const notChecked = (errors: RowError[]): Checked => ({
  rows: [],
  errors,
  equal: [],
  changing: null,
  checkedCount: 0,
  uncheckedReason: null,
});

interface ResultProps {
  checked: Checked;
  table: Table;
  isMended: boolean;
  leavesOutEqual: boolean;
  onLeaveOutEqual: (leavesOut: boolean) => void;
  onMend: (error: RowError, text: string) => void;
  onTouch: () => void;
}

/** The rows that are equal, and the values that are to be mended before the next check. */
function CheckResult({ checked, table, isMended, leavesOutEqual, onLeaveOutEqual, onMend, onTouch }: ResultProps) {
  return (
    <section aria-label="Result of the check">
      {!isMended && checked.equal.length > 0 && (
        <Checkbox
          mt="xs"
          checked={leavesOutEqual}
          onChange={(e) => onLeaveOutEqual(e.currentTarget.checked)}
          label="Leave out rows that are equal to an earlier row"
          description={equalText(checked.equal)}
        />
      )}
      {checked.errors.length > 0 && <RowErrors errors={checked.errors} table={table} onMend={onMend} onTouch={onTouch} />}
    </section>
  );
}

const maxNamedRows = 20;

function equalText(equal: EqualRow[]): string {
  const named = equal.slice(0, maxNamedRows).map(({ row, first }) => `${formatCount(row)} is equal to ${formatCount(first)}`);
  return `${pluralize(equal.length, 'row')}: ${named.join(', ')}${equal.length > maxNamedRows ? ' and others' : ''}.`;
}
