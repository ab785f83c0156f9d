import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { escapeInvisible } from '../values/text';
import { kindLabels } from '../values/value';
import { ValueInput } from '../values/ValueInput';
import type { Draft } from '../values/draft';
import { presetError, sources, type ParameterSettings as Settings, type Source } from './saveForm';

interface Props {
  name: string;
  /** The type, and the value that a default begins with. */
  draft: Draft;
  settings: Settings;
  /** Whether it stands for the value of a condition, which may be fixed. */
  ofCondition: boolean;
  /** The names of saved queries that may list choices. */
  lists: string[];
  error: string | undefined;
  onChange: (settings: Settings) => void;
}

/** What the definition of a saved query says of one parameter. */
export function ParameterSettings({ name, draft, settings, ofCondition, lists, error, onChange }: Props) {
  const set = (part: Partial<Settings>) => onChange({ ...settings, ...part });
  const shown = escapeInvisible(name);
  const { kind, list, texts } = draft;
  const fixedSource: (typeof sources)[number] = { value: 'fixed', label: `fixed: ${escapeInvisible(texts.join(', '))}` };
  return (
    <fieldset className="parameter-settings">
      <legend>
        ${shown} <small>{list ? `List of ${kindLabels[kind]}` : kindLabels[kind]}</small>
      </legend>
      <TextInput
        size="xs"
        label={`Description of the parameter ${shown}`}
        value={settings.description}
        onChange={(e) => set({ description: e.currentTarget.value })}
        error={error}
      />
      <NativeSelect
        size="xs"
        label={`Value of ${shown}`}
        data={ofCondition ? [...sources, fixedSource] : sources}
        value={settings.source}
        onChange={(e) => set({ source: e.currentTarget.value as Source })}
      />
      {settings.source === 'attribute' && (
        <TextInput
          size="xs"
          label={`Attribute for ${shown}`}
          required
          withAsterisk={false}
          value={settings.attribute}
          onChange={(e) => set({ attribute: e.currentTarget.value })}
        />
      )}
      {settings.source === 'caller' && (
        <>
          <NativeSelect
            size="xs"
            label={`Choices of ${shown}`}
            data={[{ value: '', label: 'none' }, ...new Set([...lists, settings.choices].filter((each) => each !== ''))]}
            value={settings.choices}
            onChange={(e) => set({ choices: e.currentTarget.value })}
          />
          <Checkbox
            size="xs"
            label={`${shown} has a default`}
            checked={settings.preset !== null}
            onChange={(e) => set({ preset: e.currentTarget.checked ? draft : null })}
          />
          {settings.preset && (
            <ValueInput
              name={`the default of ${shown}`}
              draft={settings.preset}
              error={presetError(settings)}
              onChange={(preset) => set({ preset })}
            />
          )}
        </>
      )}
    </fieldset>
  );
}
