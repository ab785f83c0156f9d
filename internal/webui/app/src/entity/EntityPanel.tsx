import { ActionIcon, Badge, Button, Group, Tabs, Text, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, ShieldQuestion, Trash2, Waypoints, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { EdgeEnd, Entity, Schema } from '../api/graph';
import { asProblem } from '../api/problem';
import { graphPath } from '../canvas/steps';
import { curl, entityPath } from '../copy/curl';
import { CopyMenu, type CopyItem } from '../copy/CopyMenu';
import { changeCypher, edgeCypher, nodeCypher } from '../copy/cypher';
import { actionOf, changedProperties } from '../changesets/operations';
import { findProposed, proposal, useEditPermissions, useProposal, type ProposedOperation } from '../changesets/proposal';
import { explainPath } from '../explain/explain';
import { entityOptions, readEntity } from '../explore/entities';
import type { EntityRef, PanelTab } from '../explore/url';
import { EndLink } from '../explore/EndLink';
import { appearanceOf, edgeAppearanceOf, useAppearanceVersion } from '../explore/appearance';
import { recordOpened } from '../home/stored';
import { useSession } from '../session/session';
import { viewAs } from '../session/viewAs';
import { LoadError, Loading } from '../shell/States';
import { copyText, notifyProblem } from '../shell/notify';
import { typeLabel } from '../values/value';
import { captionOf, sortedNames, cellText, escapeInvisible } from '../values/text';
import { CreateEdge } from './CreateEdge';
import { DeleteDialog } from './DeleteDialog';
import { Editor } from './Editor';
import { editFields, parseForm, type Field } from './form';
import { NodeEdges } from './NodeEdges';
import { unsaved, useUnsaved } from './unsaved';

const EntityHistory = lazy(() => import('../history/EntityHistory'));

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
  return (
    <aside className="panel" tabIndex={-1} aria-label={target.kind === 'node' ? 'Node' : 'Edge'}>
      {edge}
      {query.isPending && <Loading subject={`the ${target.kind}`} />}
      {query.isError && (
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
              <HistoryOf target={target} />
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

function HistoryOf({ target }: { target: EntityRef }) {
  return (
    <Suspense fallback={<Loading subject="the history" />}>
      <EntityHistory kind={target.kind} id={target.id} />
    </Suspense>
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
  return entity.kind === 'node'
    ? captionOf(entity.entity.properties, entity.entity.id, appearanceOf(entity.entity.type).caption)
    : escapeInvisible(entity.entity.type);
}

function EntityDetails({ entity, schema, tab, onTab, onClose, onOpen }: Omit<Props, 'target' | 'edge'> & { entity: Entity }) {
  useAppearanceVersion();
  const may = useEditPermissions();
  const { items } = useProposal();
  const [edit, setEdit] = useState<{ from: Entity; fields: Field[] } | null>(
    () => unsaved.get({ kind: entity.kind, id: entity.entity.id }) ?? null,
  );
  const editButton = useRef<HTMLButtonElement>(null);
  // Edits that were kept when the panel was closed do not take the focus.
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState<Entity | null>(null);
  const queries = useQueryClient();
  const [creatingEdge, setLinking] = useState(false);
  const { kind, entity: it } = entity;
  const name = titleOf(entity);
  /** Reads the entity, if only its row is known, before it is changed. */
  const withETag = (then: (read: Entity) => void) =>
    void readEntity(queries, entity).then(then, (error: unknown) => notifyProblem(error, `The ${kind} could not be read`));
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
  const userId = useSession().me?.id;
  useEffect(() => {
    if (userId) recordOpened(userId, { kind, id: it.id, type: it.type }, name);
  }, [userId, kind, it.id, it.type, name]);
  const parsed = edit ? parseForm(edit.fields, edit.from.entity.properties) : null;
  const change = parsed?.change ?? {};
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
  const proposed = may.proposing ? findProposed(items, kind, it.id) : undefined;
  const proposedChanges = proposed ? changedProperties(proposed.operation) : {};
  const copyItems: CopyItem[] = [
    { label: 'Cypher', text: () => (kind === 'node' ? nodeCypher(it.type, it.id) : edgeCypher(it.type ?? '', it.id)) },
    { label: 'curl', text: () => curl({ path: entityPath(kind, it.id) }) },
    ...(changes
      ? [
          { label: 'Change as Cypher', text: () => changeCypher(kind, it.type, it.id, change) },
          {
            label: 'Change as curl',
            text: () => curl({ method: 'PUT', path: entityPath(kind, it.id), body: { properties: change }, ifMatch: edit?.from.etag }),
          },
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
            <Badge
              key={label}
              tt="none"
              variant="filled"
              radius="sm"
              color={(kind === 'node' ? appearanceOf(label).colour : edgeAppearanceOf(label).colour) ?? 'gray.7'}
              autoContrast
              mr={4}
              style={{ flex: '0 1 auto', minWidth: 0 }}
            >
              {escapeInvisible(label)}
            </Badge>
          ))}
          {kind === 'node' && entity.entity.labels.length === 0 && (
            <Badge tt="none" color="gray.7" variant="filled" radius="sm">
              no label
            </Badge>
          )}
          <span className="spacer" />
          {kind === 'node' && may.edge.read && (
            <Tooltip label="Show as a graph with its neighbors">
              <ActionIcon size="lg" component={Link} to={graphPath(it)} aria-label="Show as a graph with its neighbors">
                <Waypoints size={17} />
              </ActionIcon>
            </Tooltip>
          )}
          <CopyMenu items={copyItems} />
          {may.admin && (
            <Tooltip label={`Why can a user see this ${kind}, or not?`}>
              <ActionIcon
                size="lg"
                component={Link}
                to={explainPath({ entity: { kind, id: it.id } })}
                aria-label={`Why can a user see this ${kind}, or not?`}
              >
                <ShieldQuestion size={17} />
              </ActionIcon>
            </Tooltip>
          )}
          {viewAs?.kind === 'user' && <ExplainForUser user={viewAs.name} kind={kind} id={it.id} />}
          {may[kind].delete && !isProposedDelete(proposed) && (
            <Tooltip label={`Delete the ${kind}`}>
              <ActionIcon size="lg" aria-label={`Delete the ${kind}`} onClick={() => withETag(setDeleting)}>
                <Trash2 size={17} />
              </ActionIcon>
            </Tooltip>
          )}
          <CloseButton onClose={onClose} />
        </Group>
        <h2 className="panel-title">{name}</h2>
        <button
          type="button"
          className="linkbutton mono"
          style={{ fontSize: 12, color: 'var(--muted)' }}
          onClick={() => void copyText(it.id, 'ID')}
          title="Copy the ID"
        >
          {it.id}
        </button>
      </div>
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
          <Tabs
            className="panel-tabs"
            value={tab}
            onChange={(next) => onTab(next === 'history' ? 'history' : 'properties')}
            keepMounted={false}
          >
            <Tabs.List>
              <Tabs.Tab value="properties">Properties</Tabs.Tab>
              <Tabs.Tab value="history">History</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="properties">
              <div className="panel-body" tabIndex={0} role="region" aria-label="Properties and edges">
                <Properties entity={entity} />
                {kind === 'edge' && <EdgeEnds entity={entity} onOpen={onOpen} />}
                {kind === 'node' && may.edge.read && (
                  <NodeEdges id={it.id} onOpen={onOpen} onCreate={may.edge.create ? () => setLinking(true) : undefined} />
                )}
              </div>
            </Tabs.Panel>
            <Tabs.Panel value="history">
              <div className="panel-body" tabIndex={0} role="region" aria-label="History">
                <HistoryOf target={{ kind, id: it.id }} />
              </div>
            </Tabs.Panel>
          </Tabs>
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

function Properties({ entity }: { entity: Entity }) {
  const names = sortedNames(entity.entity.properties);
  if (names.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No properties.
      </Text>
    );
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
            <dd className="property-value">
              {escapeInvisible(cellText(value)) || <span style={{ color: 'var(--muted)' }}>empty text</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function EdgeEnds({ entity, onOpen }: { entity: Extract<Entity, { kind: 'edge' }>; onOpen: (target: EntityRef) => void }) {
  const { source_id, target_id, source, target } = entity.entity;
  const endRow = (text: string, id: string, end: EdgeEnd | undefined) => (
    <div className="linked">
      <span style={{ color: 'var(--muted)', width: '3.2rem', flex: 'none' }}>{text}</span>
      <EndLink end={end} id={id} onOpen={(node) => onOpen({ kind: 'node', id: node })} />
      <span className="spacer" />
      {end?.type && <span style={{ color: 'var(--muted)', fontSize: 12 }}>{escapeInvisible(end.type)}</span>}
    </div>
  );
  return (
    <section aria-label="Ends">
      <h3 className="section-title">Ends</h3>
      {endRow('Source', source_id, source)}
      {endRow('Target', target_id, target)}
    </section>
  );
}

/** Leaves the view, because explaining is for administrators. */
function ExplainForUser({ user, kind, id }: { user: string } & EntityRef) {
  const label = `Why can ${escapeInvisible(user)} see this ${kind}?`;
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" component="a" href={explainPath({ user, entity: { kind, id } })} aria-label={label}>
        <ShieldQuestion size={17} />
      </ActionIcon>
    </Tooltip>
  );
}
