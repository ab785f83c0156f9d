// Saves a query as an endpoint: a new one, or a new version of one that has the name.
import { Checkbox, Group, Modal, NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormFooter, useSubmit } from '../shell/Form';
import { notify } from '../shell/notify';
import { ParameterSettings } from './ParameterSettings';
import { draftFor, parseParameters, type Drafts } from './parameters';
import { fixParameters, settingsByCondition } from './pattern';
import { definitionsKey, getDefinition, listDefinitions, queriesKey, saveQuery, type QueryDefinition } from './queries';
import {
  keepEntered,
  newParameter,
  newSettings,
  presetError,
  schemaOfParameter,
  settingsOf,
  withDefaults,
  type QuerySettings,
} from './saveForm';

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

const members = ['name', 'description', 'timeout', 'max_rows', 'cache_seconds', 'parameters'];

/** The settings of the version that there is: for the conditions of a pattern by their places, for a text by the names in it. */
function earlierSettings(definition: QueryDefinition, { pattern }: Props['content']): QuerySettings {
  const settings = settingsOf(definition);
  return pattern ? { ...settings, parameters: settingsByCondition(pattern, definition.pattern ?? {}, settings.parameters) } : settings;
}

/** The form of a definition. Under a name that exists, its settings are shown first; saving again makes a new version. */
function useSaveForm({ content, names, drafts, onClose }: Props) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  // The values in a question are the defaults of its parameters; a text of Cypher says nothing of them.
  const [begun] = useState(() => (content.pattern ? withDefaults(names, drafts) : newSettings));
  const [settings, setSettings] = useState<QuerySettings>(begun);
  const [existing, setExisting] = useState<{ etag: string } | null>(null);
  const settingsFor = (parameter: string) =>
    Object.hasOwn(settings.parameters, parameter) ? settings.parameters[parameter]! : newParameter;
  const isComplete = names.every((parameter) => presetError(settingsFor(parameter)) === undefined);
  const request = useSubmit(async () => {
    if (!isComplete) return;
    if (!existing) {
      const found = await getDefinition(name.trim());
      if (found) {
        setSettings(keepEntered(settings, earlierSettings(found.definition, content), begun));
        return setExisting({ etag: found.etag }); // asks first
      }
    }
    const isFixed = (parameter: string) => settingsFor(parameter).source === 'fixed';
    const fixed = parseParameters(names.filter(isFixed), drafts).values;
    const query: QueryDefinition = {
      name: name.trim(),
      description: settings.description.trim(),
      ...(content.pattern ? { pattern: fixParameters(content.pattern, fixed) } : content),
      parameters: Object.fromEntries(
        names
          .filter((parameter) => !isFixed(parameter))
          .map((parameter) => [parameter, schemaOfParameter(draftFor(drafts, parameter), settingsFor(parameter))]),
      ),
      ...(settings.timeout.trim() ? { timeout: settings.timeout.trim() } : {}),
      ...(Number(settings.maxRows) > 0 ? { max_rows: Number(settings.maxRows) } : {}),
      ...(settings.cacheSeconds === '' ? {} : { cache_seconds: Number(settings.cacheSeconds) }),
      ...(content.cypher !== undefined && (settings.allow.length > 0 || existing) ? { allow: settings.allow } : {}),
    };
    await saveQuery(query, existing?.etag ?? null);
    await Promise.all([queriesKey, definitionsKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    notify(`Its address is /api/queries/${query.name}/run.`, existing ? 'New version saved' : 'Query saved');
    onClose();
  });
  return {
    ...request,
    name,
    setName: (next: string) => {
      setName(next);
      setExisting(null);
    },
    settings,
    set: (part: Partial<QuerySettings>) => setSettings({ ...settings, ...part }),
    settingsFor,
    isNewVersion: existing !== null,
    isComplete,
  };
}

export default function SaveDialog(props: Props) {
  const { content, names, drafts, onClose } = props;
  const form = useSaveForm(props);
  const { name, settings, set, problem } = form;
  const lists = useQuery({ queryKey: definitionsKey, queryFn: ({ signal }) => listDefinitions(signal) });
  const ofFields = problem?.details.some(({ field }) => members.some((member) => field === member || field.startsWith(`${member}.`)));
  return (
    <Modal opened onClose={onClose} title="Save as endpoint" closeOnClickOutside={false}>
      <form onSubmit={form.submit}>
        <Stack gap="sm">
          <TextInput
            label="Name"
            description="Lower-case letters, digits and underscores"
            required
            withAsterisk={false}
            maxLength={48}
            value={name}
            onChange={(e) => form.setName(e.currentTarget.value)}
            error={problem?.field('name')}
            data-autofocus
          />
          <Textarea
            label="Description"
            autosize
            minRows={2}
            value={settings.description}
            onChange={(e) => set({ description: e.currentTarget.value })}
            error={problem?.field('description')}
          />
          {names.map((parameter) => (
            <ParameterSettings
              key={parameter}
              name={parameter}
              draft={draftFor(drafts, parameter)}
              settings={form.settingsFor(parameter)}
              ofCondition={content.pattern !== undefined}
              lists={(lists.data ?? []).map((each) => each.name)}
              error={problem?.details.find(({ field }) => field.startsWith(`parameters.${parameter}`))?.message}
              onChange={(next) => set({ parameters: { ...settings.parameters, [parameter]: next } })}
            />
          ))}
          <LimitFields settings={settings} set={set} error={(field) => problem?.field(field)} />
          {content.cypher === undefined ? (
            <PatternNote />
          ) : (
            <>
              <Checkbox.Group label="Allow what the guard refuses otherwise" value={settings.allow} onChange={(allow) => set({ allow })}>
                <Stack gap={6} mt={6}>
                  {allowable.map((each) => (
                    <Checkbox key={each.value} size="xs" value={each.value} label={each.label} />
                  ))}
                </Stack>
              </Checkbox.Group>
              <RightsNote />
            </>
          )}
          {form.isNewVersion && (
            <Text size="sm" role="alert">
              There is a query of this name. Its settings are shown where you had entered none; saving makes a new version of it.
            </Text>
          )}
          <FormFooter
            label={form.isNewVersion ? 'Save a new version' : 'Save'}
            error={problem && !ofFields ? problem.text : null}
            busy={form.busy}
            disabled={name.trim() === '' || content.cypher?.trim() === '' || !form.isComplete}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}

function PatternNote() {
  return (
    <Text size="xs" c="dimmed">
      It runs with the rights of whoever runs it, and needs the permission to read beside the right to run it.
    </Text>
  );
}

interface LimitProps {
  settings: QuerySettings;
  set: (part: Partial<QuerySettings>) => void;
  error: (field: string) => string | undefined;
}

function LimitFields({ settings, set, error }: LimitProps) {
  return (
    <Group grow align="flex-start">
      <TextInput
        label="Timeout"
        placeholder="as the service"
        description="Such as 2s"
        value={settings.timeout}
        onChange={(e) => set({ timeout: e.currentTarget.value })}
        error={error('timeout')}
      />
      <NumberInput
        label="Rows at most"
        description="Up to 50,000"
        placeholder="1,000"
        min={1}
        max={50_000}
        value={settings.maxRows}
        onChange={(maxRows) => set({ maxRows })}
        error={error('max_rows')}
      />
      <NumberInput
        label="Cached for seconds"
        description="0 for never"
        placeholder="0"
        min={0}
        value={settings.cacheSeconds}
        onChange={(cacheSeconds) => set({ cacheSeconds })}
        error={error('cache_seconds')}
      />
    </Group>
  );
}

/** Who sees what: roles do not reach inside of a saved query. */
function RightsNote() {
  return (
    <Text size="xs" c="dimmed">
      Whoever may run the query sees everything that it returns, whatever their roles say. A parameter whose value is that of the caller
      keeps it to what concerns the caller.
    </Text>
  );
}
