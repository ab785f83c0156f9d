import { ActionIcon, Button, NativeSelect, SegmentedControl, Textarea, Tooltip } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { convertDraft, draftOf, emptyDraft, isEmptyDraft, parseDraft, sameValue, type Draft } from './draft';
import { escapeInvisible, valueText } from './text';
import { TypedInput } from './TypedInput';
import { kindLabels, kinds, type Kind, type Scalar } from './value';

const scalarOptions = kinds.map((kind) => ({ value: kind, label: kindLabels[kind] }));
const listOptions = kinds.filter((k) => k !== 'Base64').map((kind) => ({ value: `list:${kind}`, label: `List of ${kindLabels[kind]}` }));

interface KindSelectProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
  name: string;
  /** The declared types; empty for any. */
  allowed?: { kind: Kind; list: boolean }[];
}

const kindKey = ({ kind, list }: { kind: Kind; list: boolean }) => (list ? `list:${kind}` : kind);

/** Selects the type of a value. */
export function KindSelect({ draft, onChange, name, allowed = [] }: KindSelectProps) {
  const selectable = new Set([...allowed, draft].map(kindKey));
  const only = (items: { value: string; label: string }[]) =>
    allowed.length > 0 ? items.filter((item) => selectable.has(item.value)) : items;
  const groups = [
    { group: 'Value', items: only(scalarOptions) },
    { group: 'List', items: only(listOptions) },
  ].filter((group) => group.items.length > 0);
  if (allowed.length > 0 && selectable.size === 1) return <span className="property-type">{groups[0]?.items[0]?.label}</span>;
  return (
    <NativeSelect
      size="xs"
      aria-label={`Type of ${name || 'the new property'}`}
      value={kindKey(draft)}
      onChange={(e) => {
        const chosen = e.currentTarget.value;
        const list = chosen.startsWith('list:');
        onChange(convertDraft(draft, chosen.replace('list:', '') as Kind, list));
      }}
      data={groups}
      styles={{ root: { width: 148, flex: '0 3 auto', minWidth: 84 } }}
    />
  );
}

interface Props {
  draft: Draft;
  onChange: (draft: Draft) => void;
  name: string;
  error?: string;
  /** The values of an enumeration. */
  choices?: Scalar[] | null;
  required?: boolean;
  /** Whether the fields of a point take the focus when they are shown, which is later than the form. */
  focusesPoint?: boolean;
}

/** Chooses a value of an enumeration; a value that it lacks stays until another one is chosen. */
function ChoiceInput({ draft, onChange, name, error, choices, required }: Props & { choices: Scalar[] }) {
  const parsed = parseDraft(draft);
  const value = 'value' in parsed && !isEmptyDraft(draft) ? parsed.value : undefined;
  const chosen = choices.findIndex((choice) => sameValue(choice, value));
  const data = [
    { value: '', label: 'not set' },
    ...choices.map((choice, index) => ({ value: String(index), label: escapeInvisible(valueText(choice)) || 'empty text' })),
    ...(value !== undefined && chosen < 0 ? [{ value: 'other', label: escapeInvisible(valueText(value)) }] : []),
  ];
  return (
    <NativeSelect
      size="xs"
      aria-label={`Value of ${name}`}
      aria-required={required}
      data={data}
      value={value === undefined ? '' : chosen < 0 ? 'other' : String(chosen)}
      error={error}
      onChange={(e) => {
        const choice = choices[Number(e.currentTarget.value)];
        if (e.currentTarget.value === '') onChange(emptyDraft(draft.kind));
        else if (choice !== undefined) onChange(draftOf(choice));
      }}
    />
  );
}

/** Edits a value of any type as text; a list has one field for each item. */
export function ValueInput({ draft, onChange, name, error, choices, required = false, focusesPoint = false }: Props) {
  if (!draft.list && choices)
    return <ChoiceInput draft={draft} onChange={onChange} name={name} error={error} choices={choices} required={required} />;
  if (!draft.list) {
    return (
      <ScalarInput
        required={required}
        focusesPoint={focusesPoint}
        kind={draft.kind}
        text={draft.texts[0] ?? ''}
        label={`Value of ${name || 'the new property'}`}
        called={name || 'the new property'}
        error={error}
        onChange={(text) => onChange({ ...draft, texts: [text] })}
      />
    );
  }
  const set = (texts: string[]) => onChange({ ...draft, texts });
  return (
    <div role="group" aria-label={`Items of ${name}`}>
      {draft.texts.map((text, index) => (
        // Items are identified by their index only.
        <div key={index} style={{ display: 'flex', gap: 4, marginBottom: 4, alignItems: 'flex-start' }}>
          <div style={{ flex: 1 }}>
            <ScalarInput
              kind={draft.kind}
              text={text}
              label={`Item ${index + 1} of ${name}`}
              called={`item ${index + 1} of ${name}`}
              onChange={(next) => set(draft.texts.map((t, i) => (i === index ? next : t)))}
            />
          </div>
          <Tooltip label="Remove item">
            <ActionIcon
              aria-label={`Remove item ${index + 1} of ${name}`}
              onClick={() => set(draft.texts.filter((_, i) => i !== index))}
              mt={3}
            >
              <X size={15} />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      <Button size="compact-xs" variant="default" leftSection={<Plus size={13} />} onClick={() => set([...draft.texts, ''])}>
        {draft.texts.length === 0 ? 'Add the first item' : 'Add an item'}
      </Button>
      {error && (
        <div role="alert" className="field-error">
          {error}
        </div>
      )}
    </div>
  );
}

interface ScalarProps {
  kind: Kind;
  text: string;
  label: string;
  /** What the value is called, inside of other names. */
  called: string;
  error?: string;
  required?: boolean;
  focusesPoint?: boolean;
  onChange: (text: string) => void;
}

function ScalarInput({ kind, text, label, called, error, required = false, focusesPoint = false, onChange }: ScalarProps) {
  if (kind === 'Boolean') {
    return (
      <>
        <SegmentedControl
          size="xs"
          aria-label={label}
          value={text}
          onChange={onChange}
          data={[
            { value: '', label: 'not set' },
            { value: 'true', label: 'true' },
            { value: 'false', label: 'false' },
          ]}
        />
        {error && (
          <div role="alert" className="field-error">
            {error}
          </div>
        )}
      </>
    );
  }
  if (kind === 'String') {
    return (
      <Textarea
        size="xs"
        autosize
        minRows={1}
        maxRows={10}
        aria-label={label}
        aria-required={required}
        value={text}
        error={error}
        onChange={(e) => onChange(e.currentTarget.value)}
      />
    );
  }
  return (
    <TypedInput
      kind={kind}
      text={text}
      called={called}
      onChange={onChange}
      autoFocus={focusesPoint && kind === 'Point'}
      aria-label={label}
      aria-required={required}
      error={error}
      inputMode={kind === 'Integer' || kind === 'Float' ? 'decimal' : undefined}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}
