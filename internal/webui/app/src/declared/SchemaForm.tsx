// The properties of a declared type as a form. Each edit changes the text of the schema, which stands beside the form.
import { ActionIcon, Button, Checkbox, NativeSelect, TagsInput, Text, TextInput } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { bodyText } from '../api/json';
import { escapeInvisible } from '../values/text';
import type { JSONSchema } from './check';
import {
  addRule,
  bounds,
  changeRule,
  changeType,
  choicesOf,
  enumOf,
  parseBound,
  parseSchema,
  propertyTypes,
  removeRule,
  renameRule,
  rulesOf,
  schemaText,
  setRequired,
  typeOf,
  type Bound,
  type Rule,
} from './schemaForm';

interface Props {
  /** The schema as text. */
  text: string;
  onChange: (text: string) => void;
  /** The unique keys, each a list of names separated by commas. */
  unique: string[];
  onUnique: (unique: string[]) => void;
}

export function SchemaForm({ text, onChange, unique, onUnique }: Props) {
  const schema = parseSchema(text);
  if (!schema) {
    return (
      <Text size="sm" c="dimmed" role="status">
        The form follows the JSON beside it as soon as that is a valid schema.
      </Text>
    );
  }
  const edit = (next: JSONSchema) => onChange(schemaText(next));
  const rules = rulesOf(schema);
  return (
    <div role="group" aria-label="Properties">
      {rules.map((rule, index) => (
        <RuleFields
          // The place, because the name can be edited.
          key={index}
          rule={rule}
          schema={schema}
          onEdit={edit}
          unique={unique.includes(rule.name)}
          onUnique={(isUnique) => onUnique(isUnique ? [...unique, rule.name] : unique.filter((key) => key !== rule.name))}
        />
      ))}
      {rules.length === 0 && (
        <Text size="sm" c="dimmed" mb="xs">
          No property is declared.
        </Text>
      )}
      <Button size="xs" variant="default" leftSection={<Plus size={14} />} onClick={() => edit(addRule(schema))}>
        Add a property
      </Button>
      <Checkbox
        size="xs"
        mt="sm"
        label="Allow other properties"
        checked={schema['additionalProperties'] !== false}
        onChange={(event) => {
          const { additionalProperties: _, ...others } = schema;
          edit(event.currentTarget.checked ? others : { ...others, additionalProperties: false });
        }}
      />
    </div>
  );
}

interface RuleProps {
  rule: Rule;
  schema: JSONSchema;
  onEdit: (schema: JSONSchema) => void;
  unique: boolean;
  onUnique: (unique: boolean) => void;
}

function RuleFields({ rule, schema, onEdit, unique, onUnique }: RuleProps) {
  const { name } = rule;
  const shown = escapeInvisible(name);
  const own = rule.schema ?? {};
  const type = typeOf(own);
  const family = type?.family ?? 'other';
  const choices = choicesOf(own);
  const set = (keywords: JSONSchema) => onEdit(changeRule(schema, name, keywords));
  const rename = (to: string) => {
    const renamed = renameRule(schema, name, to);
    if (renamed === schema) return false;
    onEdit(renamed);
    return true;
  };
  return (
    <fieldset className="grant schema-rule" aria-label={shown}>
      <div className="schema-row">
        <CommittedInput label="Name" value={name} onCommit={rename} problem="The name is taken or empty" />
        <NativeSelect
          size="xs"
          label="Type"
          value={type?.value ?? ''}
          onChange={(event) =>
            onEdit(
              changeType(
                schema,
                name,
                propertyTypes.find(({ value }) => value === event.currentTarget.value)!,
              ),
            )
          }
          data={[...(type ? [] : [{ value: '', label: 'As in the JSON' }]), ...propertyTypes.map(({ value, label }) => ({ value, label }))]}
        />
        <ActionIcon aria-label={`Remove ${shown}`} onClick={() => onEdit(removeRule(schema, name))}>
          <Trash2 size={15} />
        </ActionIcon>
      </div>
      <div className="schema-row">
        <Checkbox
          size="xs"
          label="Required"
          checked={rule.required}
          onChange={(event) => onEdit(setRequired(schema, name, event.currentTarget.checked))}
        />
        <Checkbox size="xs" label="Unique" checked={unique} onChange={(event) => onUnique(event.currentTarget.checked)} />
      </div>
      {(family === 'text' || family === 'number') && choices !== null && type && (
        <TagsInput
          size="xs"
          label="Allowed values"
          placeholder={choices.length === 0 ? 'any' : ''}
          value={choices}
          onChange={(texts) => set({ enum: enumOf(type, texts) })}
          splitChars={[]}
          acceptValueOnBlur
        />
      )}
      {family !== 'other' && (
        <div className="schema-row">
          {bounds
            .filter(({ of }) => of === family)
            .map(({ keyword, label }) => (
              <BoundField
                key={keyword}
                keyword={keyword}
                label={label}
                value={own[keyword]}
                onCommit={(value) => set({ [keyword]: value })}
              />
            ))}
          {family === 'text' && (
            <CommittedInput
              label="Pattern"
              value={typeof own['pattern'] === 'string' ? own['pattern'] : ''}
              onCommit={(pattern) => (set({ pattern: pattern === '' ? undefined : pattern }), true)}
              problem=""
            />
          )}
        </div>
      )}
      {(rule.others.length > 0 || choices === null) && (
        <Text size="xs" c="dimmed">
          Also in the JSON: {[...rule.others, ...(choices === null ? ['enum'] : [])].map(escapeInvisible).join(', ')}
        </Text>
      )}
    </fieldset>
  );
}

function BoundField({
  keyword,
  label,
  value,
  onCommit,
}: {
  keyword: Bound;
  label: string;
  value: unknown;
  onCommit: (value: bigint | number | undefined) => void;
}) {
  const text = typeof value === 'bigint' || typeof value === 'number' ? bodyText(value) : '';
  return (
    <CommittedInput
      label={label}
      value={text}
      problem={keyword === 'minimum' || keyword === 'maximum' ? 'Write a number such as 1.5' : 'Write an integer of 0 or more'}
      onCommit={(next) => {
        const bound = next === '' ? undefined : parseBound(keyword, next);
        if (next !== '' && bound === undefined) return false;
        onCommit(bound);
        return true;
      }}
    />
  );
}

/** A text field whose value takes effect when it is left, or with Enter, if it is accepted. */
function CommittedInput({
  label,
  value,
  onCommit,
  problem,
}: {
  label: string;
  value: string;
  onCommit: (value: string) => boolean;
  problem: string;
}) {
  const [text, setText] = useState(value);
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    setText(value);
    setRefused(false);
  }, [value]);
  const commit = () => setRefused(text.trim() !== value && !onCommit(text.trim()));
  return (
    <TextInput
      size="xs"
      label={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={commit}
      error={isRefused && problem}
      spellCheck={false}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        commit();
      }}
    />
  );
}
