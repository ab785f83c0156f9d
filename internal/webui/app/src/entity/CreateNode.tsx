import { Autocomplete, Modal, Stack } from '@mantine/core';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { createNode, type GraphNode, type Schema } from '../api/graph';
import { curl } from '../copy/curl';
import { CopyMenu } from '../copy/CopyMenu';
import { createNodeCypher } from '../copy/cypher';
import { newRef, proposal, useProposal } from '../changesets/proposal';
import { declarationsOf } from '../declared/check';
import { declaredFields, isClosed } from '../declared/fields';
import { propertiesOf } from '../explore/columns';
import { FormFooter, useSubmit } from '../shell/Form';
import { notify, notifyChange } from '../shell/notify';
import { useDiscardQuestion } from '../shell/useDiscardQuestion';
import { captionOf } from '../values/text';
import type { Properties } from '../values/value';
import { assignProblem, checkForm, fieldsOfType, filledFields, parseForm } from './form';
import { PropertyForm } from './PropertyForm';
import { recordCreate } from './recordCreate';

interface Props {
  schema: Schema;
  type: string | null;
  onClose: () => void;
  onCreated: (id: string) => void;
}

/** Creates a node, shows it in the lists, and makes the creation the change that can be undone. */
async function writeNode(queries: QueryClient, type: string, properties: Properties): Promise<GraphNode> {
  const { data, etag, requestId } = await createNode(type, properties);
  const name = captionOf(data.properties, data.id);
  recordCreate(queries, { kind: 'node', entity: data, etag }, requestId, `created ${name}`);
  notifyChange(name, `${type} created`);
  return data;
}

export function CreateNode({ schema, type: given, onClose, onCreated }: Props) {
  const queries = useQueryClient();
  const proposing = useProposal().active;
  const [type, setType] = useState(given ?? schema.node_types[0]?.type ?? '');
  const [fields, setFields] = useState(() => fieldsOfType(schema, 'node', type));
  const [submitted, setTried] = useState(false);
  const filled = filledFields(fields);
  const parsed = parseForm(filled, {});
  const declarations = useMemo(() => declarationsOf(schema, 'node', [type]), [schema, type]);
  const declared = useMemo(() => declaredFields(declarations), [declarations]);
  const violations = checkForm(fields, parsed.values, declarations);
  const { problem, busy, submit, clearProblem } = useSubmit(async () => {
    setTried(true);
    if (parsed.errors.size + violations.errors.size + violations.others.length > 0) return;
    if (proposing) {
      const name = captionOf(parsed.values, 'new');
      proposal.add({ operation: { op: 'create_node', ref: newRef(), type, properties: parsed.values }, name, type });
      notify(name, 'Collected');
      onClose();
      return;
    }
    const { id } = await writeNode(queries, type, parsed.values);
    onCreated(id);
    onClose();
  });
  const discard = useDiscardQuestion(filled.length > 0, onClose);
  const errors = problem
    ? assignProblem(fields, problem)
    : submitted
      ? new Map([...violations.errors, ...parsed.errors])
      : new Map<number, string>();
  const unassigned = problem
    ? errors.size === 0 && !problem.field('type')
      ? problem.text
      : null
    : submitted
      ? violations.others.join('; ')
      : null;

  function changeType(next: string) {
    setType(next);
    setFields(fieldsOfType(schema, 'node', next, fields));
  }

  return (
    <Modal opened onClose={discard.close} closeOnEscape={!discard.asking} title="New node" size="lg" closeOnClickOutside={false}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Autocomplete
            openOnFocus={false}
            label="Type"
            description="An existing type or a new one"
            required
            withAsterisk={false}
            data={schema.node_types.map((t) => t.type)}
            value={type}
            onChange={changeType}
            error={problem?.field('type')}
            data-autofocus
          />
          <PropertyForm
            fields={fields}
            onChange={(next) => {
              setFields(next);
              clearProblem();
            }}
            errors={errors}
            known={propertiesOf(schema, 'node', type)}
            declared={declared}
            closed={isClosed(declarations)}
          />
          <FormFooter
            label={proposing ? 'Propose node' : 'Create node'}
            error={unassigned}
            busy={busy}
            disabled={type === ''}
            onCancel={discard.close}
          >
            <CopyMenu
              items={[
                { label: 'Cypher', text: () => createNodeCypher(type, parsed.values) },
                { label: 'curl', text: () => curl({ method: 'POST', path: '/api/nodes', body: { type, properties: parsed.values } }) },
              ]}
            />
          </FormFooter>
        </Stack>
      </form>
      {discard.question}
    </Modal>
  );
}
