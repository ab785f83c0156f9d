import { ActionIcon, Autocomplete, Button, SegmentedControl, Tooltip } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import type { PropertyUse } from '../api/graph';
import type { DeclaredField } from '../declared/fields';
import { draftForProperty, offeredFields, type Field } from '../entity/form';
import { useAddedField } from '../entity/useAddedField';
import { isEmptyDraft } from '../values/draft';
import { escapeInvisible } from '../values/text';
import { KindSelect, ValueInput } from '../values/ValueInput';

interface Props {
  fields: Field[];
  errors: Map<number, string>;
  known: PropertyUse[];
  declared: DeclaredField[];
  /** Whether only declared properties are allowed. */
  closed: boolean;
  onChange: (fields: Field[]) => void;
}

/** The properties to set or remove. */
export function BulkFields({ fields, errors, known, declared, closed, onChange }: Props) {
  const names = [...new Set([...declared.map((d) => d.name), ...(closed ? [] : known.map((use) => use.name))])];
  const { isAdded, add } = useAddedField(fields, onChange);
  const update = (key: number, change: Partial<Field>) =>
    onChange(fields.map((field) => (field.key === key ? { ...field, ...change } : field)));
  function rename(field: Field, name: string) {
    const rule = declared.find((d) => d.name === name);
    const use = known.find((k) => k.name === name);
    const draft = rule ? offeredFields([rule], known)[0]!.draft : draftForProperty(use);
    update(field.key, { name, draft: (rule ?? use) && isEmptyDraft(field.draft) ? draft : field.draft });
  }
  return (
    <div>
      {fields.map((field, index) => {
        const rule = declared.find((d) => d.name === field.name);
        const label = escapeInvisible(field.name) || 'the property';
        const error = errors.get(field.key);
        return (
          <div className="property" key={field.key}>
            <div style={{ display: 'flex', flexWrap: 'wrap', gap: 6, alignItems: 'center', marginBottom: 4 }}>
              <Autocomplete
                size="xs"
                aria-label="Property"
                placeholder="Property"
                data={names.filter((name) => !fields.some((other) => other.name === name))}
                value={field.name}
                onChange={(name) => rename(field, name)}
                autoFocus={isAdded(field)}
                data-autofocus={index === 0 || undefined}
                style={{ flex: '1 1 160px', minWidth: 0 }}
              />
              <SegmentedControl
                size="xs"
                aria-label={`What happens to ${label}`}
                value={field.removed ? 'remove' : 'set'}
                data={[
                  { value: 'set', label: 'Set' },
                  { value: 'remove', label: 'Remove' },
                ]}
                onChange={(next) => update(field.key, { removed: next === 'remove' })}
              />
              {!field.removed && (
                <KindSelect
                  draft={field.draft}
                  name={field.name}
                  onChange={(draft) => update(field.key, { draft })}
                  allowed={rule?.types ?? []}
                />
              )}
              {fields.length > 1 && (
                <Tooltip label="Leave it as it is">
                  <ActionIcon aria-label={`Leave ${label} as it is`} onClick={() => onChange(fields.filter((other) => other !== field))}>
                    <Trash2 size={15} />
                  </ActionIcon>
                </Tooltip>
              )}
            </div>
            {!field.removed && (
              <ValueInput
                draft={field.draft}
                name={field.name}
                error={error}
                choices={rule?.choices}
                required={rule?.required ?? false}
                onChange={(draft) => update(field.key, { draft })}
              />
            )}
            {field.removed && error && (
              <div role="alert" className="field-error">
                {error}
              </div>
            )}
            {!field.removed && rule?.hint && <div className="field-hint">{escapeInvisible(rule.hint)}</div>}
          </div>
        );
      })}
      <Button mt="xs" size="xs" variant="default" leftSection={<Plus size={14} />} onClick={add}>
        Another property
      </Button>
    </div>
  );
}
