import { ActionIcon, Button, NativeSelect, SegmentedControl, Textarea, TextInput, Tooltip } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { convertDraft, type Draft } from './draft';
import { kindExamples, kindLabels, kinds, type Kind } from './value';

const singles = kinds.map((kind) => ({ value: kind, label: kindLabels[kind] }));
const lists = kinds.filter((k) => k !== 'Base64').map((kind) => ({ value: `list:${kind}`, label: `List of ${kindLabels[kind]}` }));

/** Selects the type of a value. */
export function KindSelect({ draft, onChange, name }: { draft: Draft; onChange: (draft: Draft) => void; name: string }) {
  return (
    <NativeSelect
      size="xs" aria-label={`Type of ${name || 'the new property'}`} value={draft.list ? `list:${draft.kind}` : draft.kind}
      onChange={(e) => {
        const chosen = e.currentTarget.value;
        const list = chosen.startsWith('list:');
        onChange(convertDraft(draft, chosen.replace('list:', '') as Kind, list));
      }}
      data={[{ group: 'Value', items: singles }, { group: 'List', items: lists }]}
      styles={{ root: { width: 148, flex: 'none' } }}
    />
  );
}

interface Props {
  draft: Draft;
  onChange: (draft: Draft) => void;
  name: string;
  error?: string;
}

/** Edits a value of any type as text; a list has one field for each item. */
export function ValueInput({ draft, onChange, name, error }: Props) {
  if (!draft.list) {
    return <ScalarInput kind={draft.kind} text={draft.texts[0] ?? ''} label={`Value of ${name || 'the new property'}`} error={error} onChange={(text) => onChange({ ...draft, texts: [text] })} />;
  }
  const set = (texts: string[]) => onChange({ ...draft, texts });
  return (
    <div role="group" aria-label={`Items of ${name}`}>
      {draft.texts.map((text, index) => (
        // Items are identified by their index only.
        <div key={index} style={{ display: 'flex', gap: 4, marginBottom: 4, alignItems: 'flex-start' }}>
          <div style={{ flex: 1 }}>
            <ScalarInput kind={draft.kind} text={text} label={`Item ${index + 1} of ${name}`} onChange={(next) => set(draft.texts.map((t, i) => (i === index ? next : t)))} />
          </div>
          <Tooltip label="Remove item">
            <ActionIcon aria-label={`Remove item ${index + 1} of ${name}`} onClick={() => set(draft.texts.filter((_, i) => i !== index))} mt={3}>
              <X size={15} />
            </ActionIcon>
          </Tooltip>
        </div>
      ))}
      <Button size="compact-xs" variant="default" leftSection={<Plus size={13} />} onClick={() => set([...draft.texts, ''])}>
        {draft.texts.length === 0 ? 'Add the first item' : 'Add an item'}
      </Button>
      {error && (
        <div role="alert" style={{ color: 'var(--mantine-color-error)', fontSize: 12, marginTop: 4 }}>
          {error}
        </div>
      )}
    </div>
  );
}

function ScalarInput({ kind, text, label, error, onChange }: { kind: Kind; text: string; label: string; error?: string; onChange: (text: string) => void }) {
  if (kind === 'Boolean') {
    return (
      <>
        <SegmentedControl size="xs" aria-label={label} value={text} onChange={onChange} data={[{ value: '', label: 'not set' }, { value: 'true', label: 'true' }, { value: 'false', label: 'false' }]} />
        {error && (
          <div role="alert" style={{ color: 'var(--mantine-color-error)', fontSize: 12, marginTop: 4 }}>
            {error}
          </div>
        )}
      </>
    );
  }
  if (kind === 'String') {
    return <Textarea size="xs" autosize minRows={1} maxRows={10} aria-label={label} value={text} error={error} onChange={(e) => onChange(e.currentTarget.value)} />;
  }
  return (
    <TextInput
      size="xs" aria-label={label} placeholder={kindExamples[kind]} value={text} error={error} spellCheck={false} inputMode={kind === 'Integer' || kind === 'Float' ? 'decimal' : undefined}
      onChange={(e) => onChange(e.currentTarget.value)} styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}
