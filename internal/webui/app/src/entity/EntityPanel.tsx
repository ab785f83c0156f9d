import { Button, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import type { Entity, PropertyChanges, Schema } from '../api/graph';
import { asProblem } from '../api/problem';
import { curl, entityPath } from '../copy/curl';
import type { CopyItem } from '../copy/CopyMenu';
import { changeCypher, edgeCypher, nodeCypher } from '../copy/cypher';
import { actionOf, changedProperties } from '../changesets/operations';
import { findProposed, proposal, useEditPermissions, useProposal, type ProposedOperation } from '../changesets/proposal';
import { entityOptions, readEntity } from '../explore/entities';
import { nameOf } from '../explore/EntityName';
import type { EntityRef, PanelTab } from '../explore/url';
import { useAppearanceVersion } from '../explore/appearance';
import { recordOpened } from '../home/stored';
import { useSession } from '../session/session';
import { LoadError, Loading } from '../shell/States';
import { notifyProblem } from '../shell/notify';
import { escapeInvisible } from '../values/text';
import { CreateEdge } from './CreateEdge';
import { DeleteDialog } from './DeleteDialog';
import { Editor } from './Editor';
import { editFields, parseForm, type Field } from './form';
import { CloseButton, PanelHead } from './PanelHead';
import { HistoryOf, PanelTabs } from './PanelTabs';
import { unsaved, useUnsaved } from './unsaved';

interface Props {
  target: EntityRef;
  /** Its edge, which changes its width. */
  edge?: ReactNode;
  schema: Schema;
  tab: PanelTab;
  onTab: (tab: PanelTab) => void;
  onClose: () => void;
  onOpen: (target: EntityRef) => void;
}

/** One node or edge: its properties, and the operations on it. */
export function EntityPanel({ target, edge, schema, tab, onTab, onClose, onOpen }: Props) {
  const query = useQuery(entityOptions(useQueryClient(), target));
  const isGone = query.isError && asProblem(query.error).code === 'NOT_FOUND';
  // What was unsaved cannot be saved any more; the user sees why.
  const edits = useUnsaved();
  useEffect(() => {
    if (isGone) unsaved.set({ kind: target.kind, id: target.id }, null);
  }, [isGone, target.kind, target.id, edits]);
  // In a small window the panel is below the list; it is scrolled into view.
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.scrollIntoView({ block: 'nearest' });
  }, [target.kind, target.id, query.isPending]);
  return (
    <aside className="panel" ref={panel} tabIndex={-1} aria-label={target.kind === 'node' ? 'Node' : 'Edge'}>
      {edge}
      {query.isPending && <Loading subject={`the ${target.kind}`} />}
      {(query.isLoadingError || isGone) && (
        <>
          <Group justify="flex-end" p="xs">
            <CloseButton onClose={onClose} />
          </Group>
          {isGone ? (
            <div className="panel-body" tabIndex={0} role="region" aria-label="History">
              <div role="alert">
                <h2 className="panel-title">Deleted or not found</h2>
                <p className="change-note">There is no {target.kind} with this ID.</p>
              </div>
              <h3 className="section-title">History</h3>
              <HistoryOf target={target} tab={tab} onTab={onTab} />
            </div>
          ) : (
            <LoadError error={query.error} subject={`the ${target.kind}`} retry={() => void query.refetch()} />
          )}
        </>
      )}
      {query.data && !isGone && (
        <EntityDetails
          key={query.data.entity.id}
          entity={query.data}
          schema={schema}
          tab={tab}
          onTab={onTab}
          onClose={onClose}
          onOpen={onOpen}
        />
      )}
    </aside>
  );
}

const titleOf = (entity: Entity) => (entity.kind === 'node' ? nameOf(entity) : escapeInvisible(entity.entity.type));

/** The edit of an entity, which is kept as unsaved when the panel is closed. */
function useEdit(entity: Entity, schema: Schema, name: string, proposedChanges: PropertyChanges) {
  const { kind, entity: it } = entity;
  const [edit, setEdit] = useState<{ from: Entity; fields: Field[] } | null>(() => unsaved.get({ kind, id: it.id }) ?? null);
  const editButton = useRef<HTMLButtonElement>(null);
  // Edits that were kept when the panel was closed do not take the focus.
  const [editing, setEditing] = useState(false);
  const parsed = edit ? parseForm(edit.fields, edit.from.entity.properties) : null;
  const changes = parsed !== null && (parsed.count > 0 || parsed.errors.size > 0);
  useUnsaved();
  const fromCell = unsaved.get({ kind, id: it.id })?.fromCell;
  useEffect(() => {
    const ref = { kind, id: it.id };
    const now = unsaved.get(ref);
    if (!now?.fromCell) return unsaved.set(ref, edit && changes ? { from: edit.from, fields: edit.fields, name } : null);
    // The draft that a cell of the table had is continued here.
    unsaved.set(ref, { from: now.from, fields: now.fields, name });
    setEdit({ from: now.from, fields: now.fields });
  }, [kind, it.id, edit, changes, name, fromCell]);

  function startEdit(from: Entity) {
    setEditing(true);
    setEdit({ from, fields: editFields(schema, from, proposedChanges) });
  }
  function endEdit() {
    const { activeElement } = document;
    const isElsewhere = activeElement !== null && activeElement !== document.body && !activeElement.closest('.panel');
    flushSync(() => setEdit(null));
    if (!isElsewhere) editButton.current?.focus({ preventScroll: true });
  }
  /** What the edit changes; null while that is nothing. */
  const change: PropertyChanges | null = changes ? parsed.change : null;
  return { edit, editing, setEdit, startEdit, endEdit, editButton, change };
}

/** What can be copied of an entity; of an edited one also its change. */
function listCopyItems(
  { kind, entity: it }: Entity,
  { id_property }: Schema,
  edited: { from: Entity; change: PropertyChanges } | null,
): CopyItem[] {
  return [
    {
      label: 'Cypher',
      text: () => (kind === 'node' ? nodeCypher(it.type, it.id, id_property) : edgeCypher(it.type ?? '', it.id, id_property)),
    },
    { label: 'curl', text: () => curl({ path: entityPath(kind, it.id) }) },
    ...(edited
      ? [
          { label: 'Change as Cypher', text: () => changeCypher(kind, it.type, it.id, id_property, edited.change) },
          {
            label: 'Change as curl',
            text: () =>
              curl({ method: 'PUT', path: entityPath(kind, it.id), body: { properties: edited.change }, ifMatch: edited.from.etag }),
          },
        ]
      : []),
    { label: 'ID', text: () => it.id },
    { label: 'Link to this view', text: () => location.href },
  ];
}

function EntityDetails({ entity, schema, tab, onTab, onClose, onOpen }: Omit<Props, 'target' | 'edge'> & { entity: Entity }) {
  useAppearanceVersion();
  const may = useEditPermissions();
  const { items } = useProposal();
  const [deleting, setDeleting] = useState<Entity | null>(null);
  const queries = useQueryClient();
  const [creatingEdge, setLinking] = useState(false);
  const { kind, entity: it } = entity;
  const name = titleOf(entity);
  /** Reads the entity, if only its row is known, before it is changed. */
  const withETag = (then: (read: Entity) => void) =>
    void readEntity(queries, entity).then(then, (error: unknown) => notifyProblem(error, `The ${kind} could not be read`));
  const userId = useSession().me?.id;
  useEffect(() => {
    if (userId) recordOpened(userId, { kind, id: it.id, type: it.type }, name);
  }, [userId, kind, it.id, it.type, name]);
  const proposed = may.proposing ? findProposed(items, kind, it.id) : undefined;
  const proposedChanges = proposed ? changedProperties(proposed.operation) : {};
  const { edit, editing, setEdit, startEdit, endEdit, editButton, change } = useEdit(entity, schema, name, proposedChanges);
  const copyItems = listCopyItems(entity, schema, edit && change ? { from: edit.from, change } : null);

  return (
    <>
      <PanelHead
        entity={entity}
        name={name}
        copyItems={copyItems}
        onDelete={may[kind].delete && !isProposedDelete(proposed) ? () => withETag(setDeleting) : undefined}
        onClose={onClose}
      />
      {proposed && !edit && <ProposedNote proposed={proposed} />}
      {edit ? (
        <Editor
          edit={edit}
          schema={schema}
          onFields={(fields) => setEdit({ ...edit, fields })}
          autoFocus={editing}
          onDone={endEdit}
          onReload={(from, fields) => setEdit({ from, fields })}
          name={name}
        />
      ) : (
        <>
          <PanelTabs
            entity={entity}
            tab={tab}
            onTab={onTab}
            onOpen={onOpen}
            onCreateEdge={may.edge.create ? () => setLinking(true) : undefined}
          />
          {may[kind].edit && tab === 'properties' && !isProposedDelete(proposed) && (
            <div className="panel-foot">
              <Button ref={editButton} variant="default" leftSection={<Pencil size={15} />} onClick={() => withETag(startEdit)}>
                Edit properties
              </Button>
            </div>
          )}
        </>
      )}
      {deleting && <DeleteDialog entity={deleting} name={name} onClose={() => setDeleting(null)} onDeleted={onClose} />}
      {creatingEdge && (
        <CreateEdge
          schema={schema}
          type={null}
          source={it.id}
          onClose={() => setLinking(false)}
          onCreated={(id) => onOpen({ kind: 'edge', id })}
        />
      )}
    </>
  );
}

const isProposedDelete = (proposed: ProposedOperation | undefined) => proposed !== undefined && actionOf(proposed.operation) === 'delete';

/** What is proposed for the entity, whose current values are shown. */
function ProposedNote({ proposed }: { proposed: ProposedOperation }) {
  const { operation } = proposed;
  return (
    <div className="proposed-note" role="status">
      <span>
        {isProposedDelete(proposed)
          ? 'Proposed for deletion'
          : `Proposed: ${Object.keys(changedProperties(operation)).map(escapeInvisible).join(', ')}`}
      </span>
      <span className="spacer" />
      <Button size="compact-xs" variant="default" onClick={() => proposal.remove(proposed)}>
        Discard
      </Button>
    </div>
  );
}
