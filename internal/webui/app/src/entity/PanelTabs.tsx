// The properties and edges of an entity, and its history.
import { Tabs, Text } from '@mantine/core';
import { Suspense } from 'react';
import { onDemand } from '../api/onDemand';
import type { EdgeEnd, Entity } from '../api/graph';
import { useEditPermissions } from '../changesets/proposal';
import { EndLink } from '../explore/EndLink';
import type { EntityRef, PanelTab } from '../explore/url';
import { parsePast, pastTab } from '../history/past';
import { Loading } from '../shell/States';
import { LinkedText } from '../values/LinkedText';
import { cellText, escapeInvisible, sortedNames } from '../values/text';
import type { Value } from '../values/value';
import { typeLabel } from '../values/value';
import { NodeEdges } from './NodeEdges';

const EntityHistory = onDemand(() => import('../history/EntityHistory'));

interface Props {
  entity: Entity;
  tab: PanelTab;
  onTab: (tab: PanelTab) => void;
  onOpen: (target: EntityRef) => void;
  /** Undefined if the user may not create edges. */
  onCreateEdge: (() => void) | undefined;
}

export function PanelTabs({ entity, tab, onTab, onOpen, onCreateEdge }: Props) {
  const may = useEditPermissions();
  const { kind, entity: it } = entity;
  return (
    <Tabs
      className="panel-tabs"
      value={tab === 'properties' ? tab : 'history'}
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
          {kind === 'node' && may.edge.read && <NodeEdges id={it.id} onOpen={onOpen} onCreate={onCreateEdge} />}
        </div>
      </Tabs.Panel>
      <Tabs.Panel value="history">
        <div className="panel-body" tabIndex={0} role="region" aria-label="History">
          <HistoryOf target={{ kind, id: it.id }} tab={tab} onTab={onTab} />
        </div>
      </Tabs.Panel>
    </Tabs>
  );
}

export function HistoryOf({ target, tab, onTab }: Pick<Props, 'tab' | 'onTab'> & { target: EntityRef }) {
  return (
    <Suspense fallback={<Loading subject="the history" />}>
      <EntityHistory kind={target.kind} id={target.id} past={parsePast(tab)} onPast={(past) => onTab(pastTab(past))} />
    </Suspense>
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
              <ValueOrLink value={value} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function ValueOrLink({ value }: { value: Value }) {
  const text = escapeInvisible(cellText(value));
  return text === '' ? <span style={{ color: 'var(--muted)' }}>empty text</span> : <LinkedText value={value} text={text} />;
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
