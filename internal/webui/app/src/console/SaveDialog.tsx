// Saves a query as an endpoint: a new one, or a new version of one that has the name.
import { Checkbox, Group, Modal, NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormFooter, useSubmit } from '../shell/Form';
import { notify } from '../shell/notify';
import { escapeInvisible } from '../values/text';
import { kindLabels } from '../values/value';
import { draftFor, schemaOf, type Drafts } from './parameters';
import { getDefinition, queriesKey, saveQuery, type ParameterSchema, type QueryDefinition } from './queries';

interface Props {
  /** What is saved: the text of a query, or the pattern of a question. */
  content: Pick<QueryDefinition, 'cypher' | 'pattern'>;
  names: string[];
  drafts: Drafts;
  onClose: () => void;
}

/** What a query may do only if its definition names it. */
const allowable = [
  { value: 'cartesian_product', label: 'Combine all of one with all of another (cartesian product)' },
  { value: 'unbounded_path', label: 'Paths of any length' },
  { value: 'all_nodes_scan', label: 'Read all nodes' },
];

export default function SaveDialog({ content, names, drafts, onClose }: Props) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [maxRows, setMaxRows] = useState<number | string>(1000);
  const [cacheSeconds, setCacheSeconds] = useState<number | string>(0);
  const [allow, setAllow] = useState<string[]>([]);
  const [descriptions, setDescriptions] = useState<Record<string, string>>({});
  const [existing, setExisting] = useState<{ etag: string } | null>(null);
  const { problem, busy, submit } = useSubmit(async () => {
    if (!existing) {
      const found = await getDefinition(name.trim());
      if (found) return setExisting({ etag: found.etag }); // asks first
    }
    const parameters = Object.fromEntries(
      names.map((each): [string, ParameterSchema] => {
        const text = descriptions[each]?.trim();
        return [each, { ...schemaOf(draftFor(drafts, each)), ...(text ? { description: text } : {}) }];
      }),
    );
    const query: QueryDefinition = {
      name: name.trim(),
      description: description.trim(),
      ...content,
      parameters,
      max_rows: Number(maxRows) || 1000,
      ...(Number(cacheSeconds) > 0 ? { cache_seconds: Number(cacheSeconds) } : {}),
      ...(allow.length > 0 ? { allow } : {}),
    };
    await saveQuery(query, existing?.etag ?? null);
    await queries.invalidateQueries({ queryKey: queriesKey });
    notify(`Its address is /api/queries/${query.name}/run.`, existing ? 'New version saved' : 'Query saved');
    onClose();
  });
  const ofFields = Boolean(problem?.field('name') ?? problem?.field('description'));
  return (
    <Modal opened onClose={onClose} title="Save as endpoint" closeOnClickOutside={false}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Name"
            description="Lower-case letters, digits and underscores"
            required
            withAsterisk={false}
            maxLength={48}
            value={name}
            onChange={(e) => {
              setName(e.currentTarget.value);
              setExisting(null);
            }}
            error={problem?.field('name')}
            data-autofocus
          />
          <Textarea label="Description" autosize minRows={2} value={description} onChange={(e) => setDescription(e.currentTarget.value)} />
          <ParameterTexts names={names} drafts={drafts} texts={descriptions} onChange={setDescriptions} />
          <Group grow>
            <NumberInput label="Rows at most" min={1} max={50_000} value={maxRows} onChange={setMaxRows} />
            <NumberInput label="Cached for seconds" min={0} value={cacheSeconds} onChange={setCacheSeconds} />
          </Group>
          {content.cypher !== undefined && (
            <Checkbox.Group label="Allow what the guard refuses otherwise" value={allow} onChange={setAllow}>
              <Stack gap={6} mt={6}>
                {allowable.map((each) => (
                  <Checkbox key={each.value} size="xs" value={each.value} label={each.label} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          {content.cypher === undefined ? <PatternNote /> : <RightsNote />}
          {existing && (
            <Text size="sm" role="alert">
              There is a query of this name. Saving makes a new version of it.
            </Text>
          )}
          <FormFooter
            label={existing ? 'Save a new version' : 'Save'}
            error={problem && !ofFields ? problem.text : null}
            busy={busy}
            disabled={name.trim() === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}

/** Who sees what: roles do not reach inside of a saved query. */
function RightsNote() {
  return (
    <Text size="xs" c="dimmed">
      Whoever may run the query sees everything that it returns, whatever their roles say. To keep it to what concerns the caller, give a
      parameter <code>&quot;from&quot;: &quot;$user.id&quot;</code> in the API.
    </Text>
  );
}

function PatternNote() {
  return (
    <Text size="xs" c="dimmed">
      It runs with the rights of whoever runs it, and needs the permission to read beside the right to run it.
    </Text>
  );
}

interface TextsProps {
  names: string[];
  drafts: Drafts;
  texts: Record<string, string>;
  onChange: (texts: Record<string, string>) => void;
}

function ParameterTexts({ names, drafts, texts, onChange }: TextsProps) {
  return names.map((name) => {
    const { kind, list } = draftFor(drafts, name);
    return (
      <TextInput
        key={name}
        size="xs"
        label={`Description of the parameter ${escapeInvisible(name)}`}
        description={list ? `List of ${kindLabels[kind]}` : kindLabels[kind]}
        value={texts[name] ?? ''}
        onChange={(e) => onChange({ ...texts, [name]: e.currentTarget.value })}
      />
    );
  });
}
