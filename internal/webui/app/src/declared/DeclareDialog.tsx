import { Autocomplete, Button, Group, Modal, NativeSelect, SegmentedControl, Stack, TagsInput, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getSchema } from '../api/graph';
import { usePermissions } from '../session/session';
import { FormFooter, useSubmit } from '../shell/Form';
import { saveDeclaration, levels, proposeDeclaration, type Draft, type TypeKind as Kind, type Level } from './declared';
import { SchemaForm } from './SchemaForm';

interface Props {
  start: Draft;
  /** Whether the declaration exists, so that its type is fixed. */
  existing: boolean;
  onClose: () => void;
  onDone: (type: string) => void;
}

/** The draft of a declaration, and what the service refuses of it. */
function useDeclareForm(start: Draft, onDone: Props['onDone']) {
  const [draft, setDraft] = useState(start);
  const [generating, setDrafting] = useState(false);
  const { problem, busy, submit, run } = useSubmit(async () => {
    await saveDeclaration(draft);
    onDone(draft.type);
  });
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const fields = ['type', 'level', 'schema', 'unique', 'source_types', 'target_types'];
  const fieldError = (of: string) =>
    problem?.details
      .filter((d) => d.field === of || d.field.startsWith(`${of}.`) || d.field.startsWith(`${of}[`))
      .map((d) => (d.field === of ? d.message : `${d.field.slice(of.length).replace(/^\./, '')} ${d.message}`))
      .join('; ');
  const unassigned = problem && !fields.some(fieldError) ? problem.text : null;

  async function generateDraft() {
    setDrafting(true);
    await run(async () => setDraft(await proposeDeclaration(draft.kind, draft.type)));
    setDrafting(false);
  }
  return { draft, change, fieldError, unassigned, busy, generating, submit, generateDraft };
}

/** Creates or edits a declaration: its properties as a form, and as JSON Schema beside it. The service can generate one from the data. */
export function DeclareDialog({ start, existing, onClose, onDone }: Props) {
  const may = usePermissions();
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.see });
  const form = useDeclareForm(start, onDone);
  const { draft, change, fieldError, busy, generating } = form;
  const types = ((draft.kind === 'nodes' ? schema.data?.node_types : schema.data?.edge_types) ?? []).map((t) => t.type);
  const nodeTypes = (schema.data?.node_types ?? []).map((t) => t.type);
  return (
    <Modal
      opened
      onClose={onClose}
      title={existing ? `Declaration of ${draft.type}` : 'Declare a type'}
      size="min(1100px, 96vw)"
      closeOnClickOutside={false}
    >
      <form onSubmit={form.submit} autoComplete="off">
        <Stack gap="sm">
          {!existing && (
            <TypeFields
              draft={draft}
              types={types}
              error={fieldError('type')}
              busy={busy}
              generating={generating}
              onChange={change}
              onGenerate={() => void form.generateDraft()}
            />
          )}
          <NativeSelect
            label="Level"
            data={levels}
            value={draft.level}
            onChange={(e) => change({ level: e.currentTarget.value as Level })}
            error={fieldError('level')}
          />
          <div className="role-editor">
            <SchemaForm
              text={draft.schema}
              onChange={(text) => change({ schema: text })}
              unique={draft.unique}
              onUnique={(unique) => change({ unique })}
            />
            <Textarea
              label="Properties, as JSON Schema"
              description='The form follows it. Neo4j types that JSON lacks: {"neo4jType": "Date"}'
              autosize
              minRows={8}
              maxRows={24}
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8rem' } }}
              value={draft.schema}
              onChange={(e) => change({ schema: e.currentTarget.value })}
              error={fieldError('schema')}
            />
          </div>
          <TagsInput
            label="Unique"
            description="A property, or several separated by commas, whose values must be unique"
            value={draft.unique}
            onChange={(unique) => change({ unique })}
            error={fieldError('unique')}
            splitChars={[]}
            acceptValueOnBlur
          />
          {draft.kind === 'edges' && (
            <>
              <EndTypes
                label="Source types"
                nodeTypes={nodeTypes}
                value={draft.sources}
                onChange={(sources) => change({ sources })}
                error={fieldError('source_types')}
              />
              <EndTypes
                label="Target types"
                nodeTypes={nodeTypes}
                value={draft.targets}
                onChange={(targets) => change({ targets })}
                error={fieldError('target_types')}
              />
            </>
          )}
          <FormFooter
            label="Declare"
            error={form.unassigned}
            busy={busy && !generating}
            disabled={draft.type === '' || busy}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}

interface TypeFieldsProps {
  draft: Draft;
  /** The known types of the kind. */
  types: string[];
  error: string | undefined;
  busy: boolean;
  generating: boolean;
  onChange: (part: Partial<Draft>) => void;
  onGenerate: () => void;
}

/** Which type a new declaration is for. */
function TypeFields({ draft, types, error, busy, generating, onChange, onGenerate }: TypeFieldsProps) {
  return (
    <>
      <SegmentedControl
        aria-label="Of"
        value={draft.kind}
        onChange={(kind) => onChange({ kind: kind as Kind })}
        data={[
          { value: 'nodes', label: 'Nodes' },
          { value: 'edges', label: 'Edges' },
        ]}
      />
      <Group align="flex-end" wrap="nowrap">
        <Autocomplete
          label="Type"
          style={{ flex: 1 }}
          required
          withAsterisk={false}
          data={[...new Set(types)]}
          value={draft.type}
          onChange={(type) => onChange({ type })}
          error={error}
          data-autofocus
        />
        <Button variant="default" disabled={draft.type === '' || busy} loading={generating} onClick={onGenerate}>
          Generate from data
        </Button>
      </Group>
    </>
  );
}

interface EndTypesProps {
  label: string;
  nodeTypes: string[];
  value: string[];
  onChange: (types: string[]) => void;
  error: string | undefined;
}

/** The types that the nodes at one end of an edge may have. */
function EndTypes({ label, nodeTypes, value, onChange, error }: EndTypesProps) {
  return (
    <TagsInput
      label={label}
      placeholder={value.length === 0 ? 'any type' : ''}
      data={nodeTypes}
      value={value}
      onChange={onChange}
      error={error}
      splitChars={[]}
      acceptValueOnBlur
    />
  );
}
