import { Text } from '@mantine/core';
import { getHotkeyHandler } from '@mantine/hooks';
import { escapeInvisible } from '../values/text';
import type { Draft } from '../values/draft';
import { KindSelect, ValueInput } from '../values/ValueInput';
import { draftFor, type Drafts } from './parameters';

interface Props {
  names: string[];
  drafts: Drafts;
  errors: Record<string, string>;
  onChange: (name: string, draft: Draft) => void;
  onRun: () => void;
}

/** The parameters of the text, with the type that the user gives each of them. Ctrl Enter runs the query here as in the editor. */
export function ParameterForm({ names, drafts, errors, onChange, onRun }: Props) {
  if (names.length === 0) return null;
  return (
    <fieldset className="parameters" onKeyDown={getHotkeyHandler([['mod+Enter', onRun]])}>
      <legend>Parameters</legend>
      {names.map((name) => {
        const draft = draftFor(drafts, name);
        return (
          <div key={name} className="parameter">
            <Text size="sm" className="parameter-name">
              ${escapeInvisible(name)}
            </Text>
            <KindSelect name={name} draft={draft} onChange={(next) => onChange(name, next)} />
            <div className="parameter-value">
              <ValueInput name={name} draft={draft} error={errors[name]} onChange={(next) => onChange(name, next)} />
            </div>
          </div>
        );
      })}
    </fieldset>
  );
}
