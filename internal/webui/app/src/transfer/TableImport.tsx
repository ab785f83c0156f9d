import { Autocomplete, Button, Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getSchema, type EntityKind, type Schema } from '../api/graph';
import { asProblem } from '../api/problem';
import { usePermissions } from '../session/session';
import { Loading } from '../shell/States';
import { escapeInvisible, pluralize } from '../values/text';
import { checkRows, importOf, type Checked } from './checking';
import { detectForm, formLabels, forms, type Form } from './forms';
import { ColumnMappings } from './ColumnMappings';
import { EndKeys } from './EndKeys';
import { checkMapping, proposeMapping, type Mapping, type TableRows } from './mapping';
import { RecipeBar } from './RecipeBar';
import { RowErrors } from './RowErrors';
import { readTable, type Table } from './tables';
import { parseHeader } from './typedHeaders';

interface Props {
  file: File;
  onCancel: () => void;
  onImport: (lines: Blob, rows: TableRows, kind: EntityKind) => void;
}

/** Maps the columns of a CSV or Excel file to nodes or edges, checks the rows and imports those that are right. */
export function TableImport(props: Props) {
  const table = useQuery({
    queryKey: ['table', props.file.name, props.file.size, props.file.lastModified],
    queryFn: () => readTable(props.file),
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  });
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema });
  if (table.isError || schema.isError) {
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
  if (!table.data || !schema.data) return <Loading subject={escapeInvisible(props.file.name)} />;
  return <MappingForm {...props} table={table.data} schema={schema.data} />;
}

const nameOf = (file: File) => file.name.replace(/\.\w+$/, '');

/** The type of the file's name, if there is one, in its spelling. */
function typeOf(file: File, types: string[]): string {
  const name = nameOf(file).toLowerCase();
  return types.find((type) => [name, name.replace(/s$/, '')].includes(type.toLowerCase())) ?? '';
}

function MappingForm({ file, table, schema, onCancel, onImport }: Props & { table: Table; schema: Schema }) {
  const may = usePermissions();
  const typesOf = (kind: EntityKind) => (kind === 'node' ? schema.node_types : schema.edge_types).map((t) => t.type);
  const [mapping, setMapping] = useState<Mapping>(() => {
    const hasEnds = table.columns.some((column) => parseHeader(column).role === 'START_ID');
    const isEdge =
      hasEnds || !may.node.create || (may.edge.create && typeOf(file, typesOf('node')) === '' && typeOf(file, typesOf('edge')) !== '');
    const kind = isEdge ? 'edge' : 'node';
    return proposeMapping(table, kind, typeOf(file, typesOf(kind)), schema, detectForm(table.rows));
  });
  const [checked, setChecked] = useState<Checked | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const change = (next: Mapping) => {
    setMapping(next);
    setChecked(null);
    setProblem(null);
  };
  const incompleteReason = checkMapping(mapping);
  const propose = (kind: EntityKind, type: string, form = mapping.form) =>
    change({ ...proposeMapping(table, kind, type, schema, form), ...(kind === mapping.kind ? { ends: mapping.ends } : {}) });

  async function check() {
    setBusy(true);
    setProblem(null);
    try {
      setChecked(await checkRows(table, mapping, schema));
    } catch (error) {
      setProblem(error instanceof Error && !('code' in error) ? error.message : asProblem(error).text);
    }
    setBusy(false);
  }

  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {escapeInvisible(file.name)}: {pluralize(table.rows.length, 'row')}, {pluralize(table.columns.length, 'column')}
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
          onChange={(type) => change({ ...mapping, type })}
          onBlur={() => checked === null && mapping.type !== '' && change(withKnownKinds(table, mapping, schema))}
          autoFocus
        />
        <FormField form={mapping.form ?? 'plain'} onChange={(form) => propose(mapping.kind, mapping.type, form)} />
        <RecipeBar table={table} mapping={mapping} onApply={change} />
      </Group>
      {mapping.kind === 'edge' && <EndKeys mapping={mapping} schema={schema} onChange={change} />}
      <ColumnMappings table={table} mapping={mapping} onChange={change} mayGiveIds={may.node.edit || may.edge.edit} />
      {(problem ?? (checked ? null : incompleteReason)) !== null && (
        <Text size="sm" c={problem === null ? 'dimmed' : 'red'} role={problem === null ? undefined : 'alert'}>
          {problem ?? incompleteReason}
        </Text>
      )}
      {checked && <CheckResult checked={checked} table={table} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Back
        </Button>
        <Button variant={checked ? 'default' : 'filled'} disabled={incompleteReason !== null} loading={busy} onClick={() => void check()}>
          Check
        </Button>
        {checked && (
          <Button
            disabled={checked.rows.length === 0}
            onClick={() =>
              onImport(
                importOf(mapping, checked.rows),
                { imported: checked.rows.map((r) => r.row), leftOut: leftOutOf(checked) },
                mapping.kind,
              )
            }
          >
            Import {pluralize(checked.rows.length, 'row')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

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

/** The mapping with the types that the properties have in other entities of the type, where the user has changed none. */
function withKnownKinds(table: Table, m: Mapping, schema: Schema): Mapping {
  const unknown = proposeMapping(table, m.kind, '', schema, m.form);
  const known = proposeMapping(table, m.kind, m.type, schema, m.form);
  const columns = m.columns.map((c, index) =>
    c.kind === unknown.columns[index]!.kind && c.property === c.column ? { ...c, kind: known.columns[index]!.kind } : c,
  );
  return { ...m, columns };
}

const leftOutOf = ({ errors }: Checked) => [...new Set(errors.map((e) => e.row))];

function CheckResult({ checked, table }: { checked: Checked; table: Table }) {
  const failed = leftOutOf(checked).length;
  return (
    <section aria-label="Result of the check">
      <Text size="sm" role="status">
        {pluralize(checked.rows.length, 'row')} can be imported{failed > 0 ? `, ${failed} cannot` : ''}.{' '}
        {checked.checkedCount > 0
          ? `The service has checked the first ${checked.checkedCount}; nothing is written yet.`
          : (checked.uncheckedReason ?? '')}
      </Text>
      {checked.errors.length > 0 && <RowErrors errors={checked.errors} table={table} />}
    </section>
  );
}
