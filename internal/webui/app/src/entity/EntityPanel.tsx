import { ActionIcon, Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { getEntity, updateEntity, type Change, type Entity, type Schema } from '../api/graph';
import { asProblem, type Problem } from '../api/problem';
import { curl, entityPath } from '../copy/curl';
import { CopyMenu, type Copied } from '../copy/CopyMenu';
import { changeCypher, edgeCypher, nodeCypher } from '../copy/cypher';
import type { Place } from '../explore/address';
import { look, useLooks } from '../explore/appearance';
import { propertiesOf } from '../explore/columns';
import { showChanged } from '../explore/lists';
import { useMay } from '../session/session';
import { Failed, Loading } from '../shell/States';
import { copyText, tell, tellProblem } from '../shell/tell';
import { typeLabel } from '../values/value';
import { caption, inOrder, plural, shortId, valueText, visible } from '../values/text';
import { remember } from './changes';
import { Conflict } from './Conflict';
import { CreateEdge } from './CreateEdge';
import { DeleteDialog } from './DeleteDialog';
import { fieldsOf, inverse, placeProblem, readForm, type Field } from './form';
import { NodeEdges } from './NodeEdges';
import { PropertyForm } from './PropertyForm';

interface Props {
  place: Place;
  schema: Schema;
  onClose: () => void;
  onOpen: (place: Place) => void;
}

/** One node or edge: what it holds, and everything that can be done with it. */
export function EntityPanel({ place, schema, onClose, onOpen }: Props) {
  const query = useQuery({ queryKey: ['entity', place.kind, place.id], queryFn: ({ signal }) => getEntity(place.kind, place.id, signal) });
  return (
    <aside className="panel" aria-label={place.kind === 'node' ? 'Node' : 'Edge'}>
      {query.isPending && <Loading what={`the ${place.kind}`} />}
      {query.isError && (
        <>
          <Group justify="flex-end" p="xs">
            <CloseButton onClose={onClose} />
          </Group>
          {asProblem(query.error).code === 'NOT_FOUND' ? (
            <div className="state" role="alert">
              <h2>It is gone</h2>
              <p>There is no {place.kind} with this id, or no longer.</p>
            </div>
          ) : (
            <Failed error={query.error} what={`the ${place.kind}`} retry={() => void query.refetch()} />
          )}
        </>
      )}
      {query.data && <Opened key={query.data.entity.id} entity={query.data} schema={schema} onClose={onClose} onOpen={onOpen} />}
    </aside>
  );
}

function CloseButton({ onClose }: { onClose: () => void }) {
  return (
    <Tooltip label="Close">
      <ActionIcon size="lg" aria-label="Close the panel" onClick={onClose}>
        <X size={17} />
      </ActionIcon>
    </Tooltip>
  );
}

function nameOf(entity: Entity): string {
  return entity.kind === 'node' ? caption(entity.entity.properties, entity.entity.id, look(entity.entity.type).caption) : visible(entity.entity.type);
}

function Opened({ entity, schema, onClose, onOpen }: Omit<Props, 'place'> & { entity: Entity }) {
  useLooks();
  const may = useMay();
  const [edit, setEdit] = useState<{ from: Entity; fields: Field[] } | null>(null);
  const [deleting, setDeleting] = useState(false);
  const [linking, setLinking] = useState(false);
  const { kind, entity: it } = entity;
  const name = nameOf(entity);
  const change = edit ? readForm(edit.fields, edit.from.entity.properties).change : {};
  const changes = Object.keys(change).length > 0;
  const copied: Copied[] = [
    { label: 'Cypher', text: () => (kind === 'node' ? nodeCypher(it.type, it.id) : edgeCypher(it.type ?? '', it.id)) },
    { label: 'curl', text: () => curl({ path: entityPath(kind, it.id) }) },
    ...(changes
      ? [
          { label: 'Change as Cypher', text: () => changeCypher(kind, it.type, it.id, change) },
          { label: 'Change as curl', text: () => curl({ method: 'PUT', path: entityPath(kind, it.id), body: { properties: change }, ifMatch: edit?.from.etag }) },
        ]
      : []),
    { label: 'Id', text: () => it.id },
    { label: 'Link to this view', text: () => location.href },
  ];

  return (
    <>
      <div className="panel-head">
        <Group gap={2} wrap="nowrap" mb={4}>
          {(kind === 'node' ? entity.entity.labels : [it.type ?? '']).map((label) => (
            <Badge key={label} tt="none" variant="filled" radius="sm" color={kind === 'node' ? look(label).colour : 'gray.7'} autoContrast={false} c="white" mr={4} style={{ flex: '0 1 auto', minWidth: 0 }}>
              {visible(label)}
            </Badge>
          ))}
          {kind === 'node' && entity.entity.labels.length === 0 && <Badge tt="none" color="gray.7" variant="filled" radius="sm">no label</Badge>}
          <span className="spring" />
          <CopyMenu items={copied} />
          {may.delete && (
            <Tooltip label={`Delete the ${kind}`}>
              <ActionIcon size="lg" aria-label={`Delete the ${kind}`} onClick={() => setDeleting(true)}>
                <Trash2 size={17} />
              </ActionIcon>
            </Tooltip>
          )}
          <CloseButton onClose={onClose} />
        </Group>
        <h2 className="panel-title">{name}</h2>
        <button type="button" className="linkbutton mono" style={{ fontSize: 12, color: 'var(--muted)' }} onClick={() => void copyText(it.id, 'Id')} title="Copy the id">
          {it.id}
        </button>
      </div>
      {edit ? (
        <Editor edit={edit} schema={schema} onFields={(fields) => setEdit({ ...edit, fields })} onDone={() => setEdit(null)} onAgain={(from, fields) => setEdit({ from, fields })} name={name} />
      ) : (
        <>
          <div className="panel-body" tabIndex={0} role="region" aria-label="Properties and edges">
            <Properties entity={entity} />
            {kind === 'edge' && <Ends entity={entity} onOpen={onOpen} />}
            {kind === 'node' && <NodeEdges id={it.id} onOpen={onOpen} onCreate={may.create ? () => setLinking(true) : undefined} />}
          </div>
          {may.edit && (
            <div className="panel-foot">
              <Button variant="default" leftSection={<Pencil size={15} />} onClick={() => setEdit({ from: entity, fields: fieldsOf(it.properties) })}>
                Edit properties
              </Button>
            </div>
          )}
        </>
      )}
      {deleting && <DeleteDialog entity={entity} name={name} onClose={() => setDeleting(false)} onDeleted={onClose} />}
      {linking && <CreateEdge schema={schema} type={null} source={it.id} onClose={() => setLinking(false)} onCreated={(id) => onOpen({ kind: 'edge', id })} />}
    </>
  );
}

function Properties({ entity }: { entity: Entity }) {
  const names = inOrder(entity.entity.properties);
  if (names.length === 0) return <Text size="sm" c="dimmed">It has no properties.</Text>;
  return (
    <dl style={{ margin: 0 }}>
      {names.map((name) => {
        const value = entity.entity.properties[name]!;
        return (
          <div className="property" key={name}>
            <dt className="property-name">
              <strong>{visible(name)}</strong>
              <span className="property-type">{typeLabel(value)}</span>
            </dt>
            <dd className="property-value">{visible(valueText(value)) || <span style={{ color: 'var(--muted)' }}>empty text</span>}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function Ends({ entity, onOpen }: { entity: Extract<Entity, { kind: 'edge' }>; onOpen: (place: Place) => void }) {
  const { source_id, target_id } = entity.entity;
  const end = (text: string, id: string) => (
    <div className="linked">
      <span style={{ color: 'var(--muted)', width: '2.6rem' }}>{text}</span>
      <button type="button" className="linkbutton mono" onClick={() => onOpen({ kind: 'node', id })}>
        {shortId(id)}
      </button>
    </div>
  );
  return (
    <section aria-label="Ends">
      <h3 className="section-title">Ends</h3>
      {end('From', source_id)}
      {end('To', target_id)}
    </section>
  );
}

interface EditorProps {
  edit: { from: Entity; fields: Field[] };
  schema: Schema;
  name: string;
  onFields: (fields: Field[]) => void;
  onDone: () => void;
  onAgain: (from: Entity, fields: Field[]) => void;
}

function Editor({ edit, schema, name, onFields, onDone, onAgain }: EditorProps) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [conflict, setConflict] = useState<{ theirs: Entity; change: Change } | null>(null);
  const { kind, entity } = edit.from;
  const reading = readForm(edit.fields, entity.properties);
  const errors = problem ? placeProblem(edit.fields, problem) : reading.errors;

  async function save(etag: string, change: Change, before: Entity) {
    setBusy(true);
    setProblem(null);
    try {
      const saved = await updateEntity(kind, entity.id, change, etag);
      showChanged(queries, saved);
      const back = inverse(change, before.entity.properties);
      remember({
        label: `changed ${name}`, needs: ['edit'],
        undo: async () => showChanged(queries, await updateEntity(kind, entity.id, back, saved.etag)),
      });
      tell(plural(Object.keys(change).length, 'property', 'properties'), 'Saved');
      onDone();
    } catch (error) {
      const found = asProblem(error);
      if (found.code === 'PRECONDITION_FAILED') await compare(change);
      else setProblem(found);
    } finally {
      setBusy(false);
    }
  }

  async function compare(change: Change) {
    try {
      const theirs = await getEntity(kind, entity.id);
      setConflict({ theirs, change });
    } catch (error) {
      tellProblem(error, 'Not saved');
    }
  }

  function takeTheirs(theirs: Entity) {
    showChanged(queries, theirs);
    setConflict(null);
    onAgain(theirs, fieldsOf(theirs.entity.properties));
  }

  return (
    <form
      style={{ display: 'contents' }}
      onSubmit={(event) => {
        event.preventDefault();
        if (reading.errors.size === 0 && reading.count > 0) void save(edit.from.etag, reading.change, edit.from);
      }}
    >
      <div className="panel-body">
        <PropertyForm fields={edit.fields} errors={errors} known={propertiesOf(schema, kind, entity.type)} onChange={(fields) => { setProblem(null); onFields(fields); }} />
        {problem && errors.size === 0 && (
          <Text size="sm" c="red" mt="sm" role="alert">
            {problem.text}
          </Text>
        )}
      </div>
      <div className="panel-foot">
        <Button type="submit" loading={busy} disabled={reading.count === 0 || reading.errors.size > 0}>
          {reading.count > 0 ? `Save ${plural(reading.count, 'change')}` : 'Save'}
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </div>
      {conflict && (
        <Conflict
          before={entity.properties} mine={conflict.change} theirs={conflict.theirs} onClose={() => setConflict(null)} onTakeTheirs={() => takeTheirs(conflict.theirs)}
          onKeepMine={() => {
            const { theirs, change } = conflict;
            setConflict(null);
            void save(theirs.etag, change, theirs);
          }}
        />
      )}
    </form>
  );
}
