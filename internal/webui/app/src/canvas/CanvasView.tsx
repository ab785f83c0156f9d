// The selection as a graph. This file and its imports, Cytoscape above all, are loaded when it is first shown.
import { Alert, Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Schema } from '../api/graph';
import { asProblem } from '../api/problem';
import { CreateEdge } from '../entity/CreateEdge';
import type { Row, useList } from '../explore/lists';
import type { ChangeView, View } from '../explore/url';
import { useEscape } from '../explore/useEscape';
import { notifyProblem } from '../shell/notify';
import { ProblemText } from '../shell/ProblemText';
import { CancellableLoading, Cancelled, EmptyState, LoadError } from '../shell/States';
import { Waiting } from '../shell/Waiting';
import { formatCount, pluralize } from '../values/text';
import { menuEntries } from './actions';
import { maxRows } from './additions';
import { CanvasBar } from './CanvasBar';
import { CanvasTooltip } from './CanvasTooltip';
import { ContextMenu } from './ContextMenu';
import { isMark } from './groups';
import { ItemList } from './ItemList';
import { Lasso } from './Lasso';
import { Legend } from './Legend';
import { Minimap } from './Minimap';
import { capacity } from './model';
import { rememberCanvas } from './openCanvas';
import { parseSteps, simpleSteps } from './steps';
import type { LayoutKind } from './useCanvas';
import { useCanvasModel, type CanvasModel } from './useCanvasModel';
import type { Graph } from './useGraph';
import { ViewTools } from './ViewTools';

/** Where the rows on the canvas come from, and whether there are more. */
export type RowSource = Pick<
  ReturnType<typeof useList>,
  'hasNextPage' | 'isFetching' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error'
> & {
  fetchNextPage: () => Promise<Pick<Awaited<ReturnType<ReturnType<typeof useList>['fetchNextPage']>>, 'isSuccess' | 'data'>>;
};

interface Props {
  list: ReturnType<typeof useList>;
  view: View;
  change: ChangeView;
  schema: Schema;
  /** Aborts the running request of the list. */
  onCancel: () => void;
}

export default function CanvasView({ list, view, change, schema, onCancel }: Props) {
  const rows = useMemo(() => list.data?.pages.flatMap((p) => p.items) ?? [], [list.data]);
  useEffect(() => rememberCanvas(view), [view]);
  // A link or a saved view may show more than the first page.
  const wanted = Math.min(view.rows, capacity);
  useEffect(() => {
    if (rows.length > 0 && rows.length < wanted && list.hasNextPage && !list.isFetching && !list.isError) void list.fetchNextPage();
  }, [rows.length, wanted, list]);
  if (list.isPending && list.fetchStatus === 'idle') return <Cancelled subject="the selection" retry={() => void list.refetch()} />;
  if (list.isPending || (list.isPlaceholderData && rows.length === 0))
    return <CancellableLoading subject="the selection" onCancel={onCancel} />;
  // What was added stays when the node or the list that the canvas began with is gone.
  const added = simpleSteps(parseSteps(view.steps)).some((step) => step.do === 'add');
  if (list.isError && rows.length === 0 && !(added && asProblem(list.error).code === 'NOT_FOUND'))
    return <LoadError error={list.error} subject="the selection" retry={() => void list.refetch()} />;
  if (rows.length === 0 && !added) return <EmptyState title="Nothing to draw">The selection is empty.</EmptyState>;
  const complete = rows.length >= wanted || !list.hasNextPage || list.isError;
  return <Canvas rows={rows} complete={complete} list={list} view={view} change={change} schema={schema} onCancel={onCancel} />;
}

interface CanvasProps extends Omit<Props, 'list'> {
  rows: Row[];
  /** No more rows of the address are being loaded. */
  complete: boolean;
  list: RowSource;
}

/** Rows on the canvas: nodes, edges, or both. */
export function Canvas({ rows, complete, list, view, change, schema, onCancel }: CanvasProps) {
  const model = useCanvasModel(rows, complete, view, change);
  const { graph, steps, canvas, actions, selected, expand } = model;
  const [newEdgeEnds, setNewEdgeEnds] = useState<[string, string] | null>(null);
  const openMenuOf = { graph, canvas, steps, change, actions, selected, onExpand: expand, onFindPath: () => model.setPathing(true) };
  function cancel() {
    graph.cancel();
    if (graph.pendingSteps.length > 0) steps.remove(graph.pendingSteps);
    if (list.isFetching) onCancel();
  }
  return (
    <>
      <CanvasBar model={model} schema={schema} change={change} onCreateEdge={setNewEdgeEnds} />
      <div className="canvas-wrap">
        <CanvasStage model={model} schema={schema} error={graph.error ?? (rows.length === 0 ? list.error : null)}>
          {model.menu && <ContextMenu place={model.menu} entries={menuEntries(model.menu.id, openMenuOf)} onClose={model.closeMenu} />}
        </CanvasStage>
        <ItemList
          items={model.items}
          selected={selected}
          onSelect={canvas.select}
          onSelectAll={(ids) => canvas.selectAll(ids, false)}
          onOpen={(id) => (isMark(id) ? expand(id) : change({ open: { kind: 'node', id } }))}
          onKey={model.handleKey}
          onMenu={model.openMenu}
        />
      </div>
      <CanvasFooter graph={graph} list={list} onCancel={cancel} onRows={(loaded) => change({ rows: loaded })} />
      {newEdgeEnds && (
        <CreateEdge
          schema={schema}
          type={null}
          source={newEdgeEnds[0]}
          target={newEdgeEnds[1]}
          onClose={() => setNewEdgeEnds(null)}
          onCreated={(id) => change({ open: { kind: 'edge', id } })}
        />
      )}
    </>
  );
}

interface StageProps {
  model: CanvasModel;
  schema: Schema;
  /** Why a part of the graph is missing. */
  error: unknown;
  children: ReactNode;
}

/** The drawing, and what lies above it. */
function CanvasStage({ model, schema, error, children }: StageProps) {
  const { canvas, graph, scales, dark, actions, moves, style } = model;
  const stage = useRef<HTMLDivElement>(null);
  const [lasso, setLasso] = useState(false);
  useEscape(lasso, () => setLasso(false));
  const layout = useRef<LayoutKind>('force');
  const runLayout = (kind = layout.current) => {
    layout.current = kind;
    moves.begin();
    canvas.rerunLayout(kind);
  };
  return (
    <div className="canvas-stage" ref={stage}>
      <div className="canvas" ref={canvas.container} aria-hidden data-testid="canvas" />
      {error ? (
        <Alert color="red" variant="light" pos="absolute" top={10} left={10} right={10} p="xs" role="alert">
          Part of the graph could not be loaded: <ProblemText error={error} />
        </Alert>
      ) : null}
      {canvas.core && lasso && (
        <Lasso
          core={canvas.core}
          onSelect={(ids, add) => {
            canvas.selectAll(ids, add);
            setLasso(false);
          }}
        />
      )}
      {canvas.core && <Minimap core={canvas.core} dark={dark} onCenter={canvas.centerOn} />}
      <Legend content={graph} schema={schema} scales={scales} dark={dark} actions={actions.types} />
      {canvas.core && <CanvasTooltip core={canvas.core} graph={graph} properties={style.tooltip} />}
      {children}
      <ViewTools
        onZoom={canvas.zoomBy}
        onFit={canvas.showAll}
        onLayout={runLayout}
        onPresent={() => void togglePresentation(stage.current)}
        lasso={lasso}
        onLasso={() => setLasso(!lasso)}
      />
    </div>
  );
}

/** Shows the canvas with its legend on the whole screen, or ends that; Escape ends it too. */
async function togglePresentation(stage: HTMLElement | null) {
  try {
    await (document.fullscreenElement ? document.exitFullscreen() : stage?.requestFullscreen());
  } catch (error) {
    notifyProblem(error, 'The browser does not allow it');
  }
}

interface FooterProps {
  graph: Graph;
  list: RowSource;
  onCancel: () => void;
  /** Called with the number of rows when more are loaded. */
  onRows: (loaded: number) => void;
}

function CanvasFooter({ graph, list, onCancel, onRows }: FooterProps) {
  const loadMore = async () => {
    const { data, isSuccess } = await list.fetchNextPage();
    if (isSuccess && data) onRows(data.pages.reduce((sum, page) => sum + page.items.length, 0));
  };
  const grouped = graph.nodes.length - graph.drawing.nodes.length;
  return (
    <div className="grid-foot">
      <span role="status">
        {pluralize(graph.nodes.length, 'node')}, {pluralize(graph.edges.length, 'edge')}
        {graph.loading ? ', loading more…' : ''}
      </span>
      {graph.omitted > 0 && (
        <span>
          {graph.truncated ? 'At least ' : ''}
          {formatCount(graph.omitted)} more are not shown: the canvas shows at most {formatCount(capacity)} nodes and edges.
        </span>
      )}
      {grouped > 0 && <span>{formatCount(grouped)} nodes are in groups.</span>}
      {graph.truncated && <span>There are more edges between these nodes than the canvas shows.</span>}
      {graph.cutAddition && <span>Of a list or an answer that was added, the first {formatCount(maxRows)} rows are shown.</span>}
      {(graph.fetching || list.isFetching) && <Waiting subject="the graph" onCancel={onCancel} />}
      {list.isFetchNextPageError && (
        <div role="alert">
          More rows could not be loaded: <ProblemText error={list.error} />
        </div>
      )}
      {list.hasNextPage && (
        <Button
          size="compact-xs"
          variant="subtle"
          leftSection={<Plus size={12} />}
          loading={list.isFetchingNextPage}
          onClick={() => void loadMore()}
        >
          Load more
        </Button>
      )}
    </div>
  );
}
