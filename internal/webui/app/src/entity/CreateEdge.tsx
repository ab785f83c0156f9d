import { ActionIcon, Autocomplete, Group, Modal, Stack, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowUpDown } from 'lucide-react';
import { useState } from 'react';
import { createEdge, deleteEntity, type GraphEdge, type Schema } from '../api/graph';
import { curl } from '../copy/curl';
import { CopyMenu } from '../copy/CopyMenu';
import { createEdgeCypher } from '../copy/cypher';
import { endOf, newRef, proposal, useProposal } from '../changesets/proposal';
import { propertiesOf } from '../explore/columns';
import { applyCreate, applyDelete } from '../explore/lists';
import { FormFooter, useSubmit } from '../shell/Form';
import { notify } from '../shell/notify';
import { useDiscardQuestion } from '../shell/useDiscardQuestion';
import { setLastChange } from './changes';
import { assignProblem, fieldsOfType, filledFields, parseForm } from './form';
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
  const { active, items } = useProposal();
  const [type, setType] = useState(given ?? schema.edge_types[0]?.type ?? '');
  const [source, setSource] = useState(from);
  const [target, setTarget] = useState(to);
  const [fields, setFields] = useState(() => fieldsOfType(schema, 'edge', type));
  const [submitted, setTried] = useState(false);
  const parsed = parseForm(filledFields(fields), {});
  const { problem, busy, submit, clearProblem } = useSubmit(async () => {
    setTried(true);
    if (parsed.errors.size > 0) return;
    if (active) {
      proposal.add({ operation: { op: 'create_edge', ref: newRef(), type, source_id: endOf(items, source), target_id: endOf(items, target), properties: parsed.values }, name: type, type });
      notify(type, 'Collected');
      onClose();
      return;
    }
    const { data, etag, requestId } = await createEdge(type, source, target, parsed.values);
    applyCreate(queries, { kind: 'edge', entity: data, etag });
    setLastChange({
      label: `created an edge ${type}`, kind: 'edge', needs: 'delete', requestId,
      undoUnrecorded: async () => {
        await deleteEntity('edge', data.id, etag);
        applyDelete(queries, 'edge', data.id);
      },
    });
    notify('', `${type} created`);
    onCreated(data.id, data);
    onClose();
  });
  const discard = useDiscardQuestion(filledFields(fields).length > 0 || source !== from || target !== to, onClose);
  const errors = problem ? assignProblem(fields, problem) : submitted ? parsed.errors : new Map<number, string>();
  const unassigned = problem && errors.size === 0 && !['type', 'source_id', 'target_id'].some((f) => problem.field(f));

  function changeType(next: string) {
    setType(next);
    setFields(fieldsOfType(schema, 'edge', next, fields));
  }

  const body = { type, source_id: source, target_id: target, properties: parsed.values };
  return (
    <Modal opened onClose={discard.close} closeOnEscape={!discard.asking} title="New edge" size="lg" closeOnClickOutside={false}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Autocomplete openOnFocus={false} label="Type" description="An existing type or a new one" required withAsterisk={false} data={schema.edge_types.map((t) => t.type)} value={type} onChange={changeType} error={problem?.field('type')} data-autofocus />
          <NodePicker label="Source" schema={schema} value={source} onChange={setSource} error={problem?.field('source_id')} />
          <Group justify="center" h={0}>
            <Tooltip label="Swap source and target">
              <ActionIcon aria-label="Swap source and target" onClick={() => { setSource(target); setTarget(source); }}>
                <ArrowUpDown size={16} />
              </ActionIcon>
            </Tooltip>
          </Group>
          <NodePicker label="Target" schema={schema} value={target} onChange={setTarget} error={problem?.field('target_id')} />
          <PropertyForm fields={fields} onChange={(next) => { setFields(next); clearProblem(); }} errors={errors} known={propertiesOf(schema, 'edge', type)} />
          <FormFooter label={active ? 'Propose edge' : 'Create edge'} error={unassigned ? problem.text : null} busy={busy} disabled={type === '' || source === '' || target === ''} onCancel={discard.close}>
            <CopyMenu
              items={[
                { label: 'Cypher', text: () => createEdgeCypher(body) },
                { label: 'curl', text: () => curl({ method: 'POST', path: '/api/edges', body }) },
              ]}
            />
          </FormFooter>
        </Stack>
      </form>
      {discard.question}
    </Modal>
  );
}
