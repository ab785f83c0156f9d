import { ActionIcon, Autocomplete, Button, Tooltip } from '@mantine/core';
import { Plus, Trash2, Undo2 } from 'lucide-react';
import type { PropertyUse } from '../api/graph';
import { isEmptyDraft } from '../values/draft';
import { KindSelect, ValueInput } from '../values/ValueInput';
import { escapeInvisible } from '../values/text';
import { draftForProperty, newField, type Field } from './form';

interface Props {
  fields: Field[];
  onChange: (fields: Field[]) => void;
  errors: Map<number, string>;
  /** The properties that entities of this type have, for suggestions. */
  known: PropertyUse[];
  /** What a field is called. */
  noun?: 'property' | 'attribute';
}

export function PropertyForm({ fields, onChange, errors, known, noun = 'property' }: Props) {
  const updateField = (key: number, change: Partial<Field>) => onChange(fields.map((f) => (f.key === key ? { ...f, ...change } : f)));
  const suggestions = known.filter((use) => !fields.some((f) => f.name === use.name)).map((use) => use.name);

  function rename(field: Field, name: string) {
    const use = known.find((k) => k.name === name);
    const untouched = isEmptyDraft(field.draft);
    updateField(field.key, { name, draft: use && untouched ? draftForProperty(use) : field.draft });
  }

  return (
    <div>
      {fields.map((field) => (
        <div key={field.key} className="property" style={{ opacity: field.removed ? 0.6 : 1 }}>
          <div style={{ display: 'flex', gap: 6, alignItems: 'center', marginBottom: 4 }}>
            <div style={{ flex: 1, minWidth: 0 }}>
              {field.fixed ? (
                <strong style={{ fontSize: 13, fontWeight: 600, overflowWrap: 'anywhere', textDecoration: field.removed ? 'line-through' : undefined }}>{escapeInvisible(field.name)}</strong>
              ) : (
                <Autocomplete size="xs" aria-label={`Name of the new ${noun}`} placeholder="Name" data={suggestions} value={field.name} onChange={(name) => rename(field, name)} comboboxProps={{ withinPortal: true }} />
              )}
            </div>
            {!field.removed && <KindSelect draft={field.draft} name={field.name} onChange={(draft) => updateField(field.key, { draft })} />}
            {field.removed ? (
              <Tooltip label={`Keep ${noun}`}>
                <ActionIcon aria-label={`Keep ${field.name}`} onClick={() => updateField(field.key, { removed: false })}>
                  <Undo2 size={15} />
                </ActionIcon>
              </Tooltip>
            ) : (
              <Tooltip label={`Remove ${noun}`}>
                <ActionIcon aria-label={`Remove ${field.name || `the new ${noun}`}`} onClick={() => (field.fixed ? updateField(field.key, { removed: true }) : onChange(fields.filter((f) => f.key !== field.key)))}>
                  <Trash2 size={15} />
                </ActionIcon>
              </Tooltip>
            )}
          </div>
          {!field.removed && <ValueInput draft={field.draft} name={field.name} error={errors.get(field.key)} onChange={(draft) => updateField(field.key, { draft })} />}
        </div>
      ))}
      <Button mt="xs" size="xs" variant="default" leftSection={<Plus size={14} />} onClick={() => onChange([...fields, newField()])}>
        Add {noun === 'property' ? 'a property' : 'an attribute'}
      </Button>
    </div>
  );
}
