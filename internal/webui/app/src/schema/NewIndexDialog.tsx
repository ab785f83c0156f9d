import { Modal, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { indexName, type SuggestedIndex } from '../api/timeout';
import { FormFooter, useSubmit } from '../shell/Form';
import { createIndex } from './indexes';

interface Props {
  start: SuggestedIndex;
  onClose: () => void;
  onDone: (name: string, online: boolean) => void;
}

/** Creates a range or text index on one property, for administrators. */
export function NewIndexDialog({ start, onClose, onDone }: Props) {
  const [index, setIndex] = useState(start);
  const [name, setName] = useState(() => indexName(start));
  const { problem, busy, submit } = useSubmit(async () => {
    const { property, ...rest } = index;
    const created = await createIndex({ ...rest, name, properties: [property] });
    onDone(created.name, created.state === 'online');
  });
  const change = (next: Partial<SuggestedIndex>) => setIndex((current) => ({ ...current, ...next }));
  const fieldError = (of: string) => problem?.details.find((d) => d.field === of || d.field.startsWith(`${of}[`))?.message;
  const unassigned = problem && !['name', 'type', 'properties'].some(fieldError);

  return (
    <Modal opened onClose={onClose} title="New index" closeOnClickOutside={false}>
      <form onSubmit={submit} autoComplete="off">
        <Stack gap="sm">
          <SegmentedControl
            aria-label="Of"
            value={index.entity}
            onChange={(entity) => change({ entity: entity as SuggestedIndex['entity'] })}
            data={[
              { value: 'node', label: 'Nodes' },
              { value: 'edge', label: 'Edges' },
            ]}
          />
          <SegmentedControl
            aria-label="Kind"
            value={index.kind}
            onChange={(kind) => change({ kind: kind as SuggestedIndex['kind'] })}
            data={[
              { value: 'range', label: 'Range: comparisons, sort' },
              { value: 'text', label: 'Text: contains' },
            ]}
          />
          <TextInput
            label="Type"
            required
            withAsterisk={false}
            value={index.type}
            onChange={(e) => change({ type: e.currentTarget.value })}
            error={fieldError('type')}
          />
          <TextInput
            label="Property"
            required
            withAsterisk={false}
            value={index.property}
            onChange={(e) => change({ property: e.currentTarget.value })}
            error={fieldError('properties')}
          />
          <TextInput
            label="Name"
            description="Letters, digits, _ and -"
            required
            withAsterisk={false}
            maxLength={64}
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
            error={fieldError('name')}
            data-autofocus
          />
          <FormFooter
            label="Create index"
            error={unassigned ? problem.text : null}
            busy={busy}
            disabled={name === '' || index.type === '' || index.property === ''}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
