import { ActionIcon, Autocomplete, Button, Group, Modal, Stack, Text, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowUpDown } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { createEdge, deleteEntity, type GraphEdge, type Schema } from '../api/graph';
import { asProblem, type Problem } from '../api/problem';
import { curl } from '../copy/curl';
import { CopyMenu } from '../copy/CopyMenu';
import { createEdgeCypher } from '../copy/cypher';
import { propertiesOf } from '../explore/columns';
import { showCreated, showDeleted } from '../explore/lists';
import { tell } from '../shell/tell';
import { remember } from './changes';
import { filled, usualFields } from './CreateNode';
import { placeProblem, readForm } from './form';
import { NodePicker } from './NodePicker';
import { PropertyForm } from './PropertyForm';

interface Props {
  schema: Schema;
  type: string | null;
  source?: string;
  target?: string;
  onClose: () => void;
  onCreated: (id: string, edge: GraphEdge) => void;
}

export function CreateEdge({ schema, type: given, source: from = '', target: to = '', onClose, onCreated }: Props) {
  const queries = useQueryClient();
  const [type, setType] = useState(given ?? schema.edge_types[0]?.type ?? '');
  const [source, setSource] = useState(from);
  const [target, setTarget] = useState(to);
  const [fields, setFields] = useState(() => usualFields(schema, 'edge', type));
  const [problem, setProblem] = useState<Problem | null>(null);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const reading = readForm(filled(fields), {});
  const errors = problem ? placeProblem(fields, problem) : tried ? reading.errors : new Map<number, string>();
  const elsewhere = problem && errors.size === 0 && !['type', 'source_id', 'target_id'].some((f) => problem.field(f));

  function choose(next: string) {
    setType(next);
    if (filled(fields).length === 0) setFields(usualFields(schema, 'edge', next));
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    setProblem(null);
    if (reading.errors.size > 0) return;
    setBusy(true);
    try {
      const { data, etag } = await createEdge(type, source, target, reading.values);
      showCreated(queries, { kind: 'edge', entity: data, etag });
      remember({
        label: `created an edge ${type}`, needs: ['delete'],
        undo: async () => {
          await deleteEntity('edge', data.id, etag);
          showDeleted(queries, 'edge', data.id);
        },
      });
      tell('', `${type} created`);
      onCreated(data.id, data);
      onClose();
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  }

  const body = { type, source_id: source, target_id: target, properties: reading.values };
  return (
    <Modal opened onClose={onClose} title="New edge" size="lg" closeOnClickOutside={false}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <Autocomplete openOnFocus={false} label="Type" description="An existing one, or a new name" required withAsterisk={false} data={schema.edge_types.map((t) => t.type)} value={type} onChange={choose} error={problem?.field('type')} data-autofocus />
          <NodePicker label="From" schema={schema} value={source} onChange={setSource} error={problem?.field('source_id')} />
          <Group justify="center" h={0}>
            <Tooltip label="Turn around">
              <ActionIcon aria-label="Turn the edge around" onClick={() => { setSource(target); setTarget(source); }}>
                <ArrowUpDown size={16} />
              </ActionIcon>
            </Tooltip>
          </Group>
          <NodePicker label="To" schema={schema} value={target} onChange={setTarget} error={problem?.field('target_id')} />
          <PropertyForm fields={fields} onChange={(next) => { setFields(next); setProblem(null); }} errors={errors} known={propertiesOf(schema, 'edge', type)} />
          {elsewhere && (
            <Text size="sm" c="red" role="alert">
              {problem.text}
            </Text>
          )}
          <Group justify="space-between" mt="sm">
            <CopyMenu
              items={[
                { label: 'Cypher', text: () => createEdgeCypher(body) },
                { label: 'curl', text: () => curl({ method: 'POST', path: '/api/edges', body }) },
              ]}
            />
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={busy} disabled={type === '' || source === '' || target === ''}>
                Create edge
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
