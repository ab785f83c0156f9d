import { Button, SegmentedControl } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Database, FileUp, Lock, Plus } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState, type ReactNode } from 'react';
import { getSchema, type EntityKind, type Schema } from '../api/graph';
import { useEditPermissions, useProposal } from '../changesets/proposal';
import { curl } from '../copy/curl';
import { CopyMenu } from '../copy/CopyMenu';
import { listCypher } from '../copy/cypher';
import { UnsavedBar } from '../entity/UnsavedBar';
import { UndoButton } from '../entity/UndoButton';
import { SearchField } from '../search/SearchField';
import { SearchResults } from '../search/SearchResults';
import { usePermissions } from '../session/session';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { Import, TransferMenu } from '../transfer/TransferMenu';
import { captionOf, escapeInvisible } from '../values/text';
import { useView, type ChangeView, type View } from './url';
import { appearanceOf } from './appearance';
import { chosenColumns, filterableProperties, propertiesInRows } from './columns';
import { ColumnsMenu } from './ColumnsMenu';
import { FilterBar } from './FilterBar';
import { filterParam } from './filters';
import { EndChip } from './EndChip';
import { listedName } from './endNames';
import { propertiesAt } from './endProperties';
import { EntityTable } from './EntityTable';
import { cancelList, firstPageSize, useList, type Row } from './lists';
import { TypeList } from './TypeList';
import { useColumns } from './useColumns';
import { PanelEdge } from './PanelEdge';
import { loadCanvas, prefetchView, selectionOf } from './prefetch';
import { usePanels } from './usePanels';
import { useEscape } from './useEscape';
import { useRowSelection } from './useRowSelection';
import { useLastLoaded, useRecordLoaded, type LastLoaded } from './useLastLoaded';

const CanvasView = lazy(loadCanvas);
const CreateEdge = lazy(() => import('../entity/CreateEdge').then(({ CreateEdge: component }) => ({ default: component })));
const CreateNode = lazy(() => import('../entity/CreateNode').then(({ CreateNode: component }) => ({ default: component })));
const loadPanel = () => import('../entity/EntityPanel').then(({ EntityPanel: component }) => ({ default: component }));
const EntityPanel = lazy(loadPanel);
const ChartPanel = lazy(() => import('../charts/ChartPanel'));
const ViewsMenu = lazy(() => import('../views/ViewsMenu'));

/** The open dialog: a new node or edge, or an import. */
type CreateDialog = EntityKind | 'import' | null;

const emptySchema: Schema = { as_of: '', constraints: [], edge_types: [], indexes: [], node_types: [] };

export function ExplorePage() {
  const may = useEditPermissions();
  const queries = useQueryClient();
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.see });
  const [view, change] = useView();
  const [dialog, setDialog] = useState<CreateDialog>(null);
  const lastLoaded = useLastLoaded();

  useEffect(() => {
    // The first rows are read beside the types, not after them.
    if (may.see && schema.isPending) prefetchView(queries, view);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only for the view that is opened first
  }, []);

  const layout = usePanels(view);
  useEscape(view.open !== null, () => change({ open: null }));

  const known = schema.data ?? emptySchema;
  const dialogs = (
    <Suspense>
      {dialog === 'node' && (
        <CreateNode
          schema={known}
          type={view.kind === 'node' ? view.type : null}
          onClose={() => setDialog(null)}
          onCreated={(id) => may.node.read && change({ open: { kind: 'node', id } })}
        />
      )}
      {dialog === 'import' && <Import onClose={() => setDialog(null)} />}
      {dialog === 'edge' && (
        <CreateEdge
          schema={known}
          type={view.kind === 'edge' ? view.type : null}
          onClose={() => setDialog(null)}
          onCreated={(id) => may.edge.read && change({ open: { kind: 'edge', id } })}
        />
      )}
    </Suspense>
  );

  if (!may.see) return <CreateOnly onCreate={setDialog} dialogs={dialogs} />;
  if (schema.isPending) return <Loading subject="the types" />;
  if (schema.isError) return <LoadError error={schema.error} subject="the graph" retry={() => void schema.refetch()} />;
  if (known.node_types.length === 0 && known.edge_types.length === 0) {
    return (
      <>
        <EmptyState
          icon={Database}
          title="The graph is empty"
          action={
            may.node.create && (
              <div style={{ display: 'flex', gap: 8 }}>
                <Button leftSection={<Plus size={16} />} onClick={() => setDialog('node')}>
                  Create the first node
                </Button>
                {!may.proposing && <ImportButton onClick={() => setDialog('import')} />}
              </div>
            )
          }
        >
          The database contains no nodes yet. Data written with Cypher appears here automatically.
        </EmptyState>
        {dialogs}
      </>
    );
  }
  // The field stands above the types, or beside the title while they are folded.
  const search = layout.folded ? <SearchField words={view.searchText} /> : null;
  return (
    <div className="explore" data-folded={layout.folded || undefined} data-graph={view.view === 'graph' || undefined} style={layout.style}>
      <TypeList schema={known} view={view} onCreate={setDialog} layout={layout} />
      <main className="explore-main">
        {view.searchText ? (
          <SearchResults view={view} change={change} lastLoaded={lastLoaded} search={search} />
        ) : (
          <ListPane
            schema={known}
            view={view}
            change={change}
            lastLoaded={lastLoaded}
            search={search}
            onImport={() => setDialog('import')}
          />
        )}
      </main>
      <Suspense>
        {view.open && (
          <EntityPanel
            key={`${view.open.kind}:${view.open.id}`}
            target={view.open}
            schema={known}
            tab={view.tab}
            edge={<PanelEdge name="panel" label="Width of the panel" layout={layout} />}
            onTab={(tab) => change({ tab })}
            onClose={() => change({ open: null })}
            onOpen={(open) => change({ open })}
          />
        )}
      </Suspense>
      {dialogs}
    </div>
  );
}

function ImportButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" leftSection={<FileUp size={16} />} onClick={onClick}>
      Import a file
    </Button>
  );
}

/** For users who may not read anything: what they may create. */
function CreateOnly({ onCreate, dialogs }: { onCreate: (what: CreateDialog) => void; dialogs: React.ReactNode }) {
  const may = usePermissions();
  const mayCreate = may.node.create || may.edge.create;
  return (
    <>
      <EmptyState
        icon={Lock}
        title="You may not read the graph"
        action={
          mayCreate && (
            <div style={{ display: 'flex', gap: 8 }}>
              {may.node.create && (
                <Button leftSection={<Plus size={16} />} onClick={() => onCreate('node')}>
                  Create a node
                </Button>
              )}
              {may.edge.create && (
                <Button variant="default" leftSection={<Plus size={16} />} onClick={() => onCreate('edge')}>
                  Create an edge
                </Button>
              )}
              <ImportButton onClick={() => onCreate('import')} />
            </div>
          )
        }
      >
        {mayCreate
          ? 'You may create nodes and edges without reading the graph.'
          : 'Ask an administrator for the permission read, or for a role.'}
      </EmptyState>
      {dialogs}
    </>
  );
}

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

function ListPane({ schema, view, change, lastLoaded, search, onImport }: ListPaneProps) {
  const queries = useQueryClient();
  const { active: proposing } = useProposal();
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
  const firstRows = list.data?.pages[0]?.items;
  const all = useColumns(schema, view.kind, view.type, list.data?.pages);
  const columns = useMemo(() => chosenColumns(all, view.columns), [all, view.columns]);
  const what = view.type === null ? (view.kind === 'node' ? 'nodes' : 'edges') : `${view.type} ${view.kind === 'node' ? 'nodes' : 'edges'}`;
  const known = useMemo(() => {
    const ofSchema = filterableProperties(schema, view.kind, view.type);
    const own = [...ofSchema, ...propertiesInRows(ofSchema, firstRows ?? [])];
    if (view.kind === 'node') return own;
    const named = own.map((use) => ({ ...use, name: listedName('edge', use.name) }));
    return [...named, ...propertiesAt(schema, view.type, 'source'), ...propertiesAt(schema, view.type, 'target')];
  }, [schema, view.kind, view.type, firstRows]);
  const expected = (view.kind === 'node' ? schema.node_types : schema.edge_types).find((t) => t.type === view.type)?.count ?? undefined;
  // Charts count whole lists; a graph from a node is none, and the service does not count the edges of a node by a property.
  const partial = view.start !== '' || view.end !== '';
  const [start] = view.start ? (firstRows ?? []) : [];
  const title = start
    ? `Graph from ${captionOf(start.properties, start.id, appearanceOf(start.type).caption)}`
    : (view.type ?? (view.kind === 'node' ? 'All nodes' : 'All edges'));

  return (
    <section className="selection" aria-label={what} id="content" tabIndex={-1}>
      <UnsavedBar open={view.open} onOpen={(open) => change({ open })} />
      <div className="toolbar">
        <h1 title={title}>{escapeInvisible(title)}</h1>
        {search}
        {view.end && <EndChip end={view.end} rows={firstRows ?? []} onRemove={() => change({ end: '', steps: '', rows: 0 })} />}
        {!view.start && (
          <FilterBar
            conditions={view.conditions}
            known={known}
            ofEdges={view.kind === 'edge'}
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
          <ViewsMenu view={view} change={change} typesOfRows={() => typesOf(list.data?.pages)} />
        </Suspense>
        {!partial && (
          <Button variant="default" size="xs" aria-pressed={view.chart !== ''} onClick={() => change({ chart: view.chart ? '' : '{}' })}>
            Chart
          </Button>
        )}
        {!proposing && <UndoButton />}
        {!view.start && (
          <>
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
            {!view.end && <TransferMenu view={view} onImport={onImport} />}
          </>
        )}
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          value={view.view}
          onChange={(next) => change(next === 'table' ? { view: 'table', start: '' } : { view: 'graph' })}
          data={[
            { value: 'table', label: 'Table' },
            { value: 'graph', label: 'Graph' },
          ]}
        />
      </div>
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
      ) : (
        <Suspense fallback={<Loading subject="the canvas" />}>
          <CanvasView
            key={`${view.kind}:${view.type} ${view.start} ${shown.end} ${JSON.stringify(shown.conditions)}`}
            list={list}
            view={{ ...shown, open: view.open }}
            change={change}
            schema={schema}
            onCancel={cancel}
          />
        </Suspense>
      )}
    </section>
  );
}
