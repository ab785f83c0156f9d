import { Autocomplete, Modal, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { createNode, deleteEntity, type Schema } from '../api/graph';
import { curl } from '../copy/curl';
import { CopyMenu } from '../copy/CopyMenu';
import { createNodeCypher } from '../copy/cypher';
import { propertiesOf } from '../explore/columns';
import { applyCreate, applyDelete } from '../explore/lists';
import { FormFooter, useSubmit } from '../shell/Form';
import { notify } from '../shell/notify';
import { captionOf } from '../values/text';
import { setLastChange } from './changes';
import { newField, assignProblem, parseForm, type Field } from './form';
import { PropertyForm } from './PropertyForm';

interface Props {
  schema: Schema;
  type: string | null;
  onClose: () => void;
  onCreated: (id: string) => void;
}

/** Empty fields for the properties that most entities of the type have. */
export function commonFields(schema: Schema, kind: 'node' | 'edge', type: string): Field[] {
  return propertiesOf(schema, kind, type).filter((use) => use.presence >= 0.5).slice(0, 12).map((use) => newField(use.name, use));
}

/** Omits fields that are not filled in, so that they are not stored as empty texts. */
export function filledFields(fields: Field[]): Field[] {
  return fields.filter((f) => f.draft.list ? f.draft.texts.length > 0 : f.draft.kind === 'Boolean' || f.draft.texts[0] !== '');
}

export function CreateNode({ schema, type: given, onClose, onCreated }: Props) {
  const queries = useQueryClient();
  const [type, setType] = useState(given ?? schema.node_types[0]?.type ?? '');
  const [fields, setFields] = useState(() => commonFields(schema, 'node', type));
  const [submitted, setTried] = useState(false);
  const filled = filledFields(fields);
  const parsed = parseForm(filled, {});
  const { problem, busy, submit, clearProblem } = useSubmit(async () => {
    setTried(true);
    if (parsed.errors.size > 0) return;
    const { data, etag } = await createNode(type, parsed.values);
    applyCreate(queries, { kind: 'node', entity: data, etag });
    const name = captionOf(data.properties, data.id);
    setLastChange({
      label: `created ${name}`, needs: ['delete'],
      undo: async () => {
        await deleteEntity('node', data.id, etag);
        applyDelete(queries, 'node', data.id);
      },
    });
    notify(name, `${type} created`);
    onCreated(data.id);
    onClose();
  });
  const errors = problem ? assignProblem(fields, problem) : submitted ? parsed.errors : new Map<number, string>();

  function changeType(next: string) {
    setType(next);
    if (filledFields(fields).length === 0) setFields(commonFields(schema, 'node', next));
  }

  return (
    <Modal opened onClose={onClose} title="New node" size="lg" closeOnClickOutside={false}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Autocomplete openOnFocus={false} label="Type" description="An existing type or a new one" required withAsterisk={false} data={schema.node_types.map((t) => t.type)} value={type} onChange={changeType} error={problem?.field('type')} data-autofocus />
          <PropertyForm fields={fields} onChange={(next) => { setFields(next); clearProblem(); }} errors={errors} known={propertiesOf(schema, 'node', type)} />
          <FormFooter label="Create node" error={problem && errors.size === 0 && !problem.field('type') ? problem.text : null} busy={busy} disabled={type === ''} onCancel={onClose}>
            <CopyMenu
              items={[
                { label: 'Cypher', text: () => createNodeCypher(type, parsed.values) },
                { label: 'curl', text: () => curl({ method: 'POST', path: '/api/nodes', body: { type, properties: parsed.values } }) },
              ]}
            />
          </FormFooter>
        </Stack>
      </form>
    </Modal>
  );
}
