import { ActionIcon, Autocomplete, Group, Modal, Stack, Tooltip } from '@mantine/core';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { ArrowUpDown } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { createEdge, type GraphEdge, type GraphNode, type Schema } from '../api/graph';
import type { Problem } from '../api/problem';
import { curl } from '../copy/curl';
import { CopyMenu } from '../copy/CopyMenu';
import { createEdgeCypher } from '../copy/cypher';
import { endOf, newRef, proposal, useProposal, type ProposedOperation } from '../changesets/proposal';
import { declarationsOf } from '../declared/check';
import { declaredFields, isClosed } from '../declared/fields';
import { propertiesOf } from '../explore/columns';
import { FormFooter, useSubmit } from '../shell/Form';
import { notify, notifyChange } from '../shell/notify';
import { useDiscardQuestion } from '../shell/useDiscardQuestion';
import type { Properties } from '../values/value';
import { checkEnd, endTypesOf, likelyEdgeType, useEndNode, type End } from './ends';
import { assignProblem, checkForm, fieldsOfType, filledFields, parseForm } from './form';
import { NodePicker } from './NodePicker';
import { PropertyForm } from './PropertyForm';
import { recordCreate } from './recordCreate';

interface Props {
  schema: Schema;
  type: string | null;
  source?: string;
  target?: string;
  onClose: () => void;
  onCreated: (id: string, edge: GraphEdge) => void;
}

function proposeEdge(items: ProposedOperation[], type: string, source: string, target: string, properties: Properties) {
  proposal.add({
    operation: {
      op: 'create_edge',
      ref: newRef(),
      type,
      source_id: endOf(items, source),
      target_id: endOf(items, target),
      properties,
    },
    name: type,
    type,
  });
}

/** Creates an edge, shows it in the lists, and makes the creation the change that can be undone. */
async function writeEdge(queries: QueryClient, type: string, source: string, target: string, properties: Properties): Promise<GraphEdge> {
  const { data, etag, requestId } = await createEdge(type, source, target, properties);
  recordCreate(queries, { kind: 'edge', entity: data, etag }, requestId, `created an edge ${type}`);
  notifyChange('', `${type} created`);
  return data;
}

function SwapButton({ onClick }: { onClick: () => void }) {
  return (
    <Group justify="center" h={0}>
      <Tooltip label="Swap source and target">
        <ActionIcon aria-label="Swap source and target" onClick={onClick}>
          <ArrowUpDown size={16} />
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

/** The properties of the edge as they are edited, and what the declaration of its type says about them. */
function useEdgeFields(schema: Schema, type: string) {
  const [fields, setFields] = useState(() => fieldsOfType(schema, 'edge', type));
  // Without a choice, the type follows the ends.
  // eslint-disable-next-line react-hooks/exhaustive-deps -- a schema that is read again leaves the form as it is
  useEffect(() => setFields((before) => fieldsOfType(schema, 'edge', type, before)), [type]);
  const parsed = parseForm(filledFields(fields), {});
  const declarations = useMemo(() => declarationsOf(schema, 'edge', [type]), [schema, type]);
  const declared = useMemo(() => declaredFields(declarations), [declarations]);
  const violations = checkForm(fields, parsed.values, declarations);
  return { fields, setFields, parsed, declarations, declared, violations };
}

export function CreateEdge({ schema, type: given, source: from = '', target: to = '', onClose, onCreated }: Props) {
  const queries = useQueryClient();
  const { active, items } = useProposal();
  const [source, setSource] = useState(from);
  const [target, setTarget] = useState(to);
  const nodes = { source: useEndNode(source), target: useEndNode(target) };
  const [chosenType, setType] = useState(given);
  const type = chosenType ?? likelyEdgeType(schema, nodes.source?.labels, nodes.target?.labels);
  const { fields, setFields, parsed, declarations, declared, violations } = useEdgeFields(schema, type);
  const [submitted, setTried] = useState(false);
  const ends = {
    source: checkEnd(schema, type, 'source', nodes.source?.labels),
    target: checkEnd(schema, type, 'target', nodes.target?.labels),
  };
  const { problem, busy, submit, clearProblem } = useSubmit(async () => {
    setTried(true);
    if (parsed.errors.size + violations.errors.size + violations.others.length > 0 || ends.source.error || ends.target.error) return;
    if (active) {
      proposeEdge(items, type, source, target, parsed.values);
      notify(type, 'Collected');
      onClose();
      return;
    }
    const created = await writeEdge(queries, type, source, target, parsed.values);
    onCreated(created.id, created);
    onClose();
  });
  const discard = useDiscardQuestion(filledFields(fields).length > 0 || source !== from || target !== to, onClose);
  const errors = problem
    ? assignProblem(fields, problem)
    : submitted
      ? new Map([...violations.errors, ...parsed.errors])
      : new Map<number, string>();
  const isAssigned = problem && (errors.size > 0 || ['type', 'source_id', 'target_id'].some((f) => problem.field(f)));
  const unassigned = problem ? (isAssigned ? null : problem.text) : submitted ? violations.others.join('; ') : null;

  const body = { type, source_id: source, target_id: target, properties: parsed.values };
  return (
    <Modal opened onClose={discard.close} closeOnEscape={!discard.asking} title="New edge" size="lg" closeOnClickOutside={false}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Autocomplete
            openOnFocus={false}
            label="Type"
            description="An existing type or a new one"
            required
            withAsterisk={false}
            data={schema.edge_types.map((t) => t.type)}
            value={type}
            onChange={setType}
            error={problem?.field('type')}
            data-autofocus
          />
          <EndPickers
            schema={schema}
            type={type}
            values={{ source, target }}
            nodes={nodes}
            ends={ends}
            problem={problem}
            onChange={(next) => {
              setSource(next.source);
              setTarget(next.target);
            }}
            onChoose={clearProblem}
          />
          <PropertyForm
            fields={fields}
            onChange={(next) => {
              setFields(next);
              clearProblem();
            }}
            errors={errors}
            known={propertiesOf(schema, 'edge', type)}
            declared={declared}
            closed={isClosed(declarations)}
          />
          <FormFooter
            label={active ? 'Propose edge' : 'Create edge'}
            error={unassigned}
            busy={busy}
            disabled={type === '' || source === '' || target === ''}
            onCancel={discard.close}
          >
            <CopyMenu
              items={[
                { label: 'Cypher', text: () => createEdgeCypher(body, schema.id_property) },
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

interface EndPickersProps {
  schema: Schema;
  type: string;
  /** The ids of the ends. */
  values: Record<End, string>;
  nodes: Record<End, GraphNode | undefined>;
  ends: Record<End, ReturnType<typeof checkEnd>>;
  problem: Problem | null;
  onChange: (values: Record<End, string>) => void;
  /** Called when the user has chosen another node. */
  onChoose: () => void;
}

/** The nodes at the ends of the edge, which can be swapped. */
function EndPickers({ schema, type, values, nodes, ends, problem, onChange, onChoose }: EndPickersProps) {
  const picker = (end: End, label: string) => (
    <NodePicker
      label={label}
      schema={schema}
      value={values[end]}
      node={nodes[end]}
      ends={endTypesOf(schema, type, end)}
      warning={ends[end].warning}
      error={ends[end].error ?? problem?.field(`${end}_id`)}
      onChange={(id) => {
        onChange({ ...values, [end]: id });
        onChoose();
      }}
    />
  );
  return (
    <>
      {picker('source', 'Source')}
      <SwapButton onClick={() => onChange({ source: values.target, target: values.source })} />
      {picker('target', 'Target')}
    </>
  );
}
