// The list of a type, as a table or as a graph, with its toolbar.
import { ActionIcon, Button, Menu, SegmentedControl, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useMemo, useState, type ReactNode } from 'react';
import { ChartColumn, Waypoints } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { onDemand } from '../api/onDemand';
import type { EntityKind, Schema } from '../api/graph';
import { questionOfList } from '../ask/begin';
import { askPath, type Question } from '../ask/question';
import { hasLayout, layoutNameOf } from '../canvas/layoutStorage';
import { canvasPath } from '../canvas/openCanvas';
import { useProposal } from '../changesets/proposal';
import { curl } from '../copy/curl';
import { CopyMenu } from '../copy/CopyMenu';
import { listCypher } from '../copy/cypher';
import { UnsavedBar } from '../entity/UnsavedBar';
import { UndoButton } from '../entity/UndoButton';
import { mayBeOnEarth } from '../map/points';
import { Loading } from '../shell/States';
import { TransferMenu } from '../transfer/TransferMenu';
import { escapeInvisible } from '../values/text';
import { serializeView, type ChangeView, type View } from './url';
import { nameOfNode } from './appearance';
import { chosenColumns, filterableProperties, propertiesInRows, type Column } from './columns';
import { ColumnsMenu } from './ColumnsMenu';
import { FilterBar } from './FilterBar';
import { filterParam } from './filters';
import { EndChip } from './EndChip';
import { listedName } from './endNames';
import { propertiesAt } from './endProperties';
import { EntityTable } from './EntityTable';
import { offeredColumns } from './linkedColumns';
import { cancelList, firstPageSize, useList, type Row } from './lists';
import { UnknownParameters } from './UnknownParameters';
import { useColumns } from './useColumns';
import { useLinkedNodes } from './useLinkedNodes';
import { loadCanvas, loadPanel, selectionOf } from './prefetch';
import { useRowSelection } from './useRowSelection';
import { useRecordLoaded, type LastLoaded } from './useLastLoaded';

const CanvasView = onDemand(loadCanvas);
const MapView = onDemand(() => import('../map/MapView'));
const ChartPanel = onDemand(() => import('../charts/ChartPanel'));
const PlacedCanvas = onDemand(() => import('../views/PlacedCanvas'));
const ViewsMenu = onDemand(() => import('../views/ViewsMenu'));

/** The types of rows and, for edges, of their ends. */
function typesOf(pages: { items: Row[] }[] = []): Record<EntityKind, string[]> {
  const rows = pages.flatMap((page) => page.items);
  const nodes = new Set(rows.flatMap((row) => ('source_id' in row ? [row.source?.type ?? null, row.target?.type ?? null] : [row.type])));
  return {
    node: [...nodes].filter((type) => type !== null),
    edge: [...new Set(rows.flatMap((row) => ('source_id' in row ? [row.type] : [])))],
  };
}

interface ListPaneProps {
  schema: Schema;
  view: View;
  change: ChangeView;
  lastLoaded: LastLoaded;
  /** The field for searching, if it is nowhere else. */
  search: ReactNode;
  onImport: () => void;
}

export function ListPane({ schema, view, change, lastLoaded, search, onImport }: ListPaneProps) {
  const queries = useQueryClient();
  const selection = selectionOf(view);
  const list = useList(selection);
  const loaded = list.isSuccess && !list.isPlaceholderData;
  useRecordLoaded(lastLoaded, view, loaded);
  useEffect(() => {
    if (loaded) void loadPanel().catch(() => undefined); // so that the first row opens at once
  }, [loaded]);
  // The view of the rows on the page: the previous one while a new one is loaded.
  const shown = (list.isPlaceholderData ? lastLoaded.view() : null) ?? view;
  const cancel = () => {
    cancelList(queries, selection);
    if (!loaded) lastLoaded.restore(view.open);
  };
  const selected = useRowSelection(`${view.kind}:${view.type ?? ''}`);
  const own = useColumns(schema, view.kind, view.type, list.data?.pages);
  const all = useMemo(
    () => [...own, ...offeredColumns(schema, view.kind, view.type, view.columns)],
    [own, schema, view.kind, view.type, view.columns],
  );
  const chosen = useMemo(() => chosenColumns(all, view.columns), [all, view.columns]);
  const columns = useLinkedNodes(chosen, view.view === 'table' ? list.data?.pages : undefined);
  const what = view.type === null ? (view.kind === 'node' ? 'nodes' : 'edges') : `${view.type} ${view.kind === 'node' ? 'nodes' : 'edges'}`;
  const expected = (view.kind === 'node' ? schema.node_types : schema.edge_types).find((t) => t.type === view.type)?.count ?? undefined;
  // Charts count whole lists; a graph from a node is none, and the service does not count the edges of a node by a property.
  const partial = view.start !== '' || view.end !== '';

  return (
    <section className="selection" aria-label={what} id="content" tabIndex={-1}>
      <UnsavedBar open={view.open} onOpen={(open) => change({ open })} />
      <UnknownParameters />
      <ListToolbar
        schema={schema}
        view={view}
        change={change}
        all={all}
        columns={chosen}
        pages={list.data?.pages}
        partial={partial}
        search={search}
        onImport={onImport}
      />
      {view.chart && !partial && (
        <section className="chart" aria-label="Chart">
          <Suspense fallback={<Loading subject="the chart" />}>
            <ChartPanel view={view} change={change} schema={schema} />
          </Suspense>
        </section>
      )}
      {view.view === 'table' ? (
        <EntityTable
          key={`${view.kind}:${view.type} ${shown.sort} ${shown.end} ${JSON.stringify(shown.conditions)}`}
          list={list}
          schema={schema}
          columns={columns}
          view={view}
          subject={what}
          expected={view.conditions.length === 0 && !view.end ? expected : undefined}
          change={change}
          selected={selected}
          onCancel={cancel}
        />
      ) : view.view === 'map' ? (
        <Suspense fallback={<Loading subject="the map" />}>
          <MapView list={list} view={view} schema={schema} subject={what} change={change} selected={selected} />
        </Suspense>
      ) : (
        <Suspense fallback={<Loading subject="the canvas" />}>
          <WithPositions key={`${view.kind}:${view.type} ${view.start} ${shown.end} ${JSON.stringify(shown.conditions)}`} view={shown}>
            <CanvasView list={list} view={{ ...shown, open: view.open }} change={change} schema={schema} onCancel={cancel} />
          </WithPositions>
        </Suspense>
      )}
    </section>
  );
}

/** The canvas of a saved view begins with its positions, which this tab may not have yet. */
function WithPositions({ view, children }: { view: View; children: ReactNode }) {
  const [needed] = useState(() => view.saved !== '' && !hasLayout(layoutNameOf(view)));
  return needed ? <PlacedCanvas view={view}>{children}</PlacedCanvas> : children;
}

interface ToolbarProps extends Omit<ListPaneProps, 'lastLoaded'> {
  /** Every column of the list. */
  all: Column[];
  /** The columns that are shown. */
  columns: Column[];
  pages: { items: Row[] }[] | undefined;
  /** Whether the list is a part of the entities of its type, so that charts do not count it. */
  partial: boolean;
}

function ListToolbar({ schema, view, change, all, columns, pages, partial, search, onImport }: ToolbarProps) {
  const { active: proposing } = useProposal();
  const firstRows = pages?.[0]?.items;
  const question = useMemo(() => questionOfList(schema, view), [schema, view]);
  const own = useMemo(() => {
    const ofSchema = filterableProperties(schema, view.kind, view.type);
    return [...ofSchema, ...propertiesInRows(ofSchema, firstRows ?? [])];
  }, [schema, view.kind, view.type, firstRows]);
  const known = useMemo(() => {
    if (view.kind === 'node') return own;
    const named = own.map((use) => ({ ...use, name: listedName('edge', use.name) }));
    return [...named, ...propertiesAt(schema, view.type, 'source'), ...propertiesAt(schema, view.type, 'target')];
  }, [schema, view.kind, view.type, own]);
  const hasPoints = view.view === 'map' || (own.some(({ types }) => types.includes('Point')) && mayBeOnEarth(firstRows ?? []));
  const [start] = view.start ? (firstRows ?? []) : [];
  const title = start ? `Graph from ${nameOfNode(start)}` : (view.type ?? (view.kind === 'node' ? 'All nodes' : 'All edges'));
  return (
    <div className="toolbar">
      <h1 title={title}>{escapeInvisible(title)}</h1>
      {search}
      {view.end && <EndChip end={view.end} rows={firstRows ?? []} onRemove={() => change({ end: '', steps: '', rows: 0 })} />}
      {!view.start && (
        <FilterBar
          conditions={view.conditions}
          known={known}
          ofEdges={view.kind === 'edge'}
          listed={view.type === null ? undefined : { kind: view.kind, type: view.type, conditions: [] }}
          onChange={(update) => change((now) => ({ conditions: update(now.conditions), steps: '', rows: 0 }))}
        />
      )}
      {view.view === 'table' && <ColumnsMenu all={all} shown={columns} onChange={(keys) => change({ columns: keys })} />}
      <Suspense
        fallback={
          <Button variant="default" size="xs" disabled>
            Views
          </Button>
        }
      >
        <ViewsMenu view={view} change={change} typesOfRows={() => typesOf(pages)} />
      </Suspense>
      {!partial && (
        <Button
          variant="default"
          size="xs"
          className="brief"
          title="Chart"
          leftSection={<ChartColumn size={14} aria-hidden />}
          aria-pressed={view.chart !== ''}
          onClick={() => change({ chart: view.chart ? '' : '{}' })}
        >
          Chart
        </Button>
      )}
      <GoOnMenu question={question} view={view} />
      {!proposing && <UndoButton />}
      {!view.start && (
        <>
          <CopyListMenu view={view} />
          {!view.end && <TransferMenu view={view} columns={columns} onImport={onImport} />}
        </>
      )}
      <SegmentedControl
        size="xs"
        aria-label="Show as"
        value={view.view}
        onChange={(next) => change(next === 'graph' ? { view: 'graph' } : { view: next === 'map' ? 'map' : 'table', start: '' })}
        data={[
          { value: 'table', label: 'Table' },
          { value: 'graph', label: 'Graph' },
          ...(hasPoints ? [{ value: 'map', label: 'Map' }] : []),
        ]}
      />
    </div>
  );
}

/** What begins with the list elsewhere: a question, or the canvas that was shown last. */
function GoOnMenu({ question, view }: { question: Question | null; view: View }) {
  const navigate = useNavigate();
  const list = () => serializeView({ ...view, open: null, saved: '', steps: '' }).toString();
  if (!question && view.view === 'graph') return null;
  return (
    <Menu position="bottom-end">
      <Tooltip label="Go on with this list">
        <Menu.Target>
          <ActionIcon size="lg" aria-label="Go on with this list">
            <Waypoints size={17} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        {question && (
          <Menu.Item component={Link} to={askPath(question)}>
            Ask a question
          </Menu.Item>
        )}
        {view.view === 'table' && <Menu.Item onClick={() => void navigate(canvasPath({ list: list() }))}>Add to canvas</Menu.Item>}
      </Menu.Dropdown>
    </Menu>
  );
}

function CopyListMenu({ view }: { view: View }) {
  return (
    <CopyMenu
      label="Copy this list as…"
      items={[
        ...(view.end ? [] : [{ label: 'Cypher', text: () => listCypher(view, firstPageSize) }]),
        {
          label: 'curl',
          text: () =>
            curl({
              path: `/api/${view.kind}s`,
              filters: view.conditions.map(filterParam),
              query: {
                type: view.type ?? undefined,
                node_id: view.end || undefined,
                sort: view.sort || undefined,
                limit: firstPageSize,
              },
            }),
        },
      ]}
    />
  );
}
