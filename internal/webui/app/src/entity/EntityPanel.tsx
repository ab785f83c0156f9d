import { ActionIcon, Badge, Button, Group, Text, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { getEntity, updateEntity, type PropertyChanges, type Entity, type Schema } from '../api/graph';
import { asProblem, type Problem } from '../api/problem';
import { curl, entityPath } from '../copy/curl';
import { CopyMenu, type CopyItem } from '../copy/CopyMenu';
import { changeCypher, edgeCypher, nodeCypher } from '../copy/cypher';
import type { EntityRef } from '../explore/url';
import { appearanceOf, useAppearanceVersion } from '../explore/appearance';
import { propertiesOf } from '../explore/columns';
import { applyUpdate } from '../explore/lists';
import { usePermissions } from '../session/session';
import { LoadError, Loading } from '../shell/States';
import { copyText, notify, notifyProblem } from '../shell/notify';
import { typeLabel } from '../values/value';
import { captionOf, sortedNames, pluralize, shortId, valueText, escapeInvisible } from '../values/text';
import { setLastChange } from './changes';
import { ConflictDialog } from './ConflictDialog';
import { CreateEdge } from './CreateEdge';
import { DeleteDialog } from './DeleteDialog';
import { fieldsOf, reverseChanges, assignProblem, parseForm, type Field } from './form';
import { NodeEdges } from './NodeEdges';
import { PropertyForm } from './PropertyForm';

interface Props {
  target: EntityRef;
  schema: Schema;
  onClose: () => void;
  onOpen: (target: EntityRef) => void;
}

/** One node or edge: its properties, and the operations on it. */
export function EntityPanel({ target, schema, onClose, onOpen }: Props) {
  const query = useQuery({ queryKey: ['entity', target.kind, target.id], queryFn: ({ signal }) => getEntity(target.kind, target.id, signal) });
  return (
    <aside className="panel" aria-label={target.kind === 'node' ? 'Node' : 'Edge'}>
      {query.isPending && <Loading subject={`the ${target.kind}`} />}
      {query.isError && (
        <>
          <Group justify="flex-end" p="xs">
            <CloseButton onClose={onClose} />
          </Group>
          {asProblem(query.error).code === 'NOT_FOUND' ? (
            <div className="state" role="alert">
              <h2>Deleted or not found</h2>
              <p>There is no {target.kind} with this ID.</p>
            </div>
          ) : (
            <LoadError error={query.error} subject={`the ${target.kind}`} retry={() => void query.refetch()} />
          )}
        </>
      )}
      {query.data && <EntityDetails key={query.data.entity.id} entity={query.data} schema={schema} onClose={onClose} onOpen={onOpen} />}
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

function titleOf(entity: Entity): string {
  return entity.kind === 'node' ? captionOf(entity.entity.properties, entity.entity.id, appearanceOf(entity.entity.type).caption) : escapeInvisible(entity.entity.type);
}

function EntityDetails({ entity, schema, onClose, onOpen }: Omit<Props, 'target'> & { entity: Entity }) {
  useAppearanceVersion();
  const may = usePermissions();
  const [edit, setEdit] = useState<{ from: Entity; fields: Field[] } | null>(null);
  const [deleting, setDeleting] = useState(false);
  const [creatingEdge, setLinking] = useState(false);
  const { kind, entity: it } = entity;
  const name = titleOf(entity);
  const change = edit ? parseForm(edit.fields, edit.from.entity.properties).change : {};
  const changes = Object.keys(change).length > 0;
  const copyItems: CopyItem[] = [
    { label: 'Cypher', text: () => (kind === 'node' ? nodeCypher(it.type, it.id) : edgeCypher(it.type ?? '', it.id)) },
    { label: 'curl', text: () => curl({ path: entityPath(kind, it.id) }) },
    ...(changes
      ? [
          { label: 'Change as Cypher', text: () => changeCypher(kind, it.type, it.id, change) },
          { label: 'Change as curl', text: () => curl({ method: 'PUT', path: entityPath(kind, it.id), body: { properties: change }, ifMatch: edit?.from.etag }) },
        ]
      : []),
    { label: 'ID', text: () => it.id },
    { label: 'Link to this view', text: () => location.href },
  ];

  return (
    <>
      <div className="panel-head">
        <Group gap={2} wrap="nowrap" mb={4}>
          {(kind === 'node' ? entity.entity.labels : [it.type ?? '']).map((label) => (
            <Badge key={label} tt="none" variant="filled" radius="sm" color={kind === 'node' ? appearanceOf(label).colour : 'gray.7'} autoContrast={false} c="white" mr={4} style={{ flex: '0 1 auto', minWidth: 0 }}>
              {escapeInvisible(label)}
            </Badge>
          ))}
          {kind === 'node' && entity.entity.labels.length === 0 && <Badge tt="none" color="gray.7" variant="filled" radius="sm">no label</Badge>}
          <span className="spacer" />
          <CopyMenu items={copyItems} />
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
        <button type="button" className="linkbutton mono" style={{ fontSize: 12, color: 'var(--muted)' }} onClick={() => void copyText(it.id, 'ID')} title="Copy the ID">
          {it.id}
        </button>
      </div>
      {edit ? (
        <Editor edit={edit} schema={schema} onFields={(fields) => setEdit({ ...edit, fields })} onDone={() => setEdit(null)} onReload={(from, fields) => setEdit({ from, fields })} name={name} />
      ) : (
        <>
          <div className="panel-body" tabIndex={0} role="region" aria-label="Properties and edges">
            <Properties entity={entity} />
            {kind === 'edge' && <EdgeEnds entity={entity} onOpen={onOpen} />}
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
      {creatingEdge && <CreateEdge schema={schema} type={null} source={it.id} onClose={() => setLinking(false)} onCreated={(id) => onOpen({ kind: 'edge', id })} />}
    </>
  );
}

function Properties({ entity }: { entity: Entity }) {
  const names = sortedNames(entity.entity.properties);
  if (names.length === 0) return <Text size="sm" c="dimmed">No properties.</Text>;
  return (
    <dl style={{ margin: 0 }}>
      {names.map((name) => {
        const value = entity.entity.properties[name]!;
        return (
          <div className="property" key={name}>
            <dt className="property-name">
              <strong>{escapeInvisible(name)}</strong>
              <span className="property-type">{typeLabel(value)}</span>
            </dt>
            <dd className="property-value">{escapeInvisible(valueText(value)) || <span style={{ color: 'var(--muted)' }}>empty text</span>}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function EdgeEnds({ entity, onOpen }: { entity: Extract<Entity, { kind: 'edge' }>; onOpen: (target: EntityRef) => void }) {
  const { source_id, target_id } = entity.entity;
  const endRow = (text: string, id: string) => (
    <div className="linked">
      <span style={{ color: 'var(--muted)', width: '3.2rem' }}>{text}</span>
      <button type="button" className="linkbutton mono" onClick={() => onOpen({ kind: 'node', id })}>
        {shortId(id)}
      </button>
    </div>
  );
  return (
    <section aria-label="Ends">
      <h3 className="section-title">Ends</h3>
      {endRow('Source', source_id)}
      {endRow('Target', target_id)}
    </section>
  );
}

interface EditorProps {
  edit: { from: Entity; fields: Field[] };
  schema: Schema;
  name: string;
  onFields: (fields: Field[]) => void;
  onDone: () => void;
  onReload: (from: Entity, fields: Field[]) => void;
}

function Editor({ edit, schema, name, onFields, onDone, onReload }: EditorProps) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [conflict, setConflict] = useState<{ theirs: Entity; change: PropertyChanges } | null>(null);
  const { kind, entity } = edit.from;
  const reading = parseForm(edit.fields, entity.properties);
  const errors = problem ? assignProblem(edit.fields, problem) : reading.errors;

  async function save(etag: string, change: PropertyChanges, before: Entity) {
    setBusy(true);
    setProblem(null);
    try {
      const saved = await updateEntity(kind, entity.id, change, etag);
      applyUpdate(queries, saved);
      const reverse = reverseChanges(change, before.entity.properties);
      setLastChange({
        label: `changed ${name}`, needs: ['edit'],
        undo: async () => applyUpdate(queries, await updateEntity(kind, entity.id, reverse, saved.etag)),
      });
      notify(pluralize(Object.keys(change).length, 'property', 'properties'), 'Saved');
      onDone();
    } catch (error) {
      const failure = asProblem(error);
      if (failure.code === 'PRECONDITION_FAILED') await showConflict(change);
      else setProblem(failure);
    } finally {
      setBusy(false);
    }
  }

  async function showConflict(change: PropertyChanges) {
    try {
      const theirs = await getEntity(kind, entity.id);
      setConflict({ theirs, change });
    } catch (error) {
      notifyProblem(error, 'Not saved');
    }
  }

  function useTheirs(theirs: Entity) {
    applyUpdate(queries, theirs);
    setConflict(null);
    onReload(theirs, fieldsOf(theirs.entity.properties));
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
          {reading.count > 0 ? `Save ${pluralize(reading.count, 'change')}` : 'Save'}
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </div>
      {conflict && (
        <ConflictDialog
          before={entity.properties} mine={conflict.change} theirs={conflict.theirs} onClose={() => setConflict(null)} onUseTheirs={() => useTheirs(conflict.theirs)}
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
