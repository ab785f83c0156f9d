import { ActionIcon, Autocomplete, Button, Tooltip } from '@mantine/core';
import { Plus, Trash2, Undo2 } from 'lucide-react';
import type { PropertyUse } from '../api/graph';
import type { DeclaredField } from '../declared/fields';
import { isEmptyDraft } from '../values/draft';
import { KindSelect, ValueInput } from '../values/ValueInput';
import { escapeInvisible } from '../values/text';
import { draftForProperty, offeredFields, type Field } from './form';
import { useAddedField } from './useAddedField';

interface Props {
  fields: Field[];
  onChange: (fields: Field[]) => void;
  errors: Map<number, string>;
  /** The properties that entities of this type have, for suggestions. */
  known: PropertyUse[];
  /** What the declarations of the types say about properties. */
  declared?: DeclaredField[];
  /** Whether only declared properties are allowed. */
  closed?: boolean;
  /** What a field is called. */
  noun?: 'property' | 'attribute';
}

export function PropertyForm({ fields, onChange, errors, known, declared = [], closed = false, noun = 'property' }: Props) {
  const { isAdded, add } = useAddedField(fields, onChange);
  const updateField = (key: number, change: Partial<Field>) => onChange(fields.map((f) => (f.key === key ? { ...f, ...change } : f)));
  const names = [...declared.map((d) => d.name), ...(closed ? [] : known.map((use) => use.name))];
  const suggestions = [...new Set(names)].filter((name) => !fields.some((f) => f.name === name));

  function rename(field: Field, name: string) {
    const rule = declared.find((d) => d.name === name);
    const use = known.find((k) => k.name === name);
    const untouched = isEmptyDraft(field.draft);
    const draft = rule ? offeredFields([rule], known)[0]!.draft : draftForProperty(use);
    updateField(field.key, { name, draft: (rule ?? use) && untouched ? draft : field.draft });
  }

  return (
    <div>
      {fields.map((field) => (
        <FieldRow
          key={field.key}
          field={field}
          rule={declared.find((d) => d.name === field.name)}
          suggestions={suggestions}
          error={errors.get(field.key)}
          noun={noun}
          isAdded={isAdded(field)}
          onUpdate={(change) => updateField(field.key, change)}
          onRename={(name) => rename(field, name)}
          onDrop={() => onChange(fields.filter((f) => f.key !== field.key))}
        />
      ))}
      {closed && suggestions.length === 0 ? null : (
        <Button mt="xs" size="xs" variant="default" leftSection={<Plus size={14} />} onClick={add}>
          Add {noun === 'property' ? 'a property' : 'an attribute'}
        </Button>
      )}
    </div>
  );
}

interface FieldRowProps {
  field: Field;
  rule: DeclaredField | undefined;
  suggestions: string[];
  error: string | undefined;
  noun: string;
  /** Whether it was added last: it takes the focus. */
  isAdded: boolean;
  onUpdate: (change: Partial<Field>) => void;
  onRename: (name: string) => void;
  /** Removes the field of a property that does not exist yet. */
  onDrop: () => void;
}

function FieldRow({ field, rule, suggestions, error, noun, isAdded, onUpdate, onRename, onDrop }: FieldRowProps) {
  const required = rule?.required ?? false;
  const removable = field.fixed || !(field.offered && required);
  return (
    <div className="property" style={{ opacity: field.removed ? 0.6 : 1 }}>
      <div style={{ display: 'flex', gap: 6, alignItems: 'center', marginBottom: 4 }}>
        <div style={{ flex: '1 1 130px', minWidth: 0 }}>
          {field.fixed || field.offered ? (
            <strong
              style={{
                fontSize: 13,
                fontWeight: 600,
                overflowWrap: 'anywhere',
                textDecoration: field.removed ? 'line-through' : undefined,
              }}
            >
              {escapeInvisible(field.name)}
              {required && (
                <span className="required" aria-hidden>
                  {' '}
                  *
                </span>
              )}
            </strong>
          ) : (
            <Autocomplete
              size="xs"
              aria-label={`Name of the new ${noun}`}
              placeholder="Name"
              data={suggestions}
              value={field.name}
              onChange={onRename}
              autoFocus={isAdded}
              comboboxProps={{ withinPortal: true }}
            />
          )}
        </div>
        {!field.removed && (
          <KindSelect draft={field.draft} name={field.name} onChange={(draft) => onUpdate({ draft })} allowed={rule?.types ?? []} />
        )}
        {field.removed ? (
          <Tooltip label={`Keep ${noun}`}>
            <ActionIcon aria-label={`Keep ${field.name}`} onClick={() => onUpdate({ removed: false })}>
              <Undo2 size={15} />
            </ActionIcon>
          </Tooltip>
        ) : (
          removable && (
            <Tooltip label={`Remove ${noun}`}>
              <ActionIcon
                aria-label={`Remove ${field.name || `the new ${noun}`}`}
                onClick={() => (field.fixed ? onUpdate({ removed: true }) : onDrop())}
              >
                <Trash2 size={15} />
              </ActionIcon>
            </Tooltip>
          )
        )}
      </div>
      {!field.removed && (
        <ValueInput
          draft={field.draft}
          name={field.name}
          error={error}
          choices={rule?.choices}
          required={required}
          onChange={(draft) => onUpdate({ draft })}
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
}
