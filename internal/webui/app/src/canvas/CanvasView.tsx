// The selection as a graph. This file and its imports, Cytoscape above all, are loaded when it is first shown.
import { Alert, Button, useComputedColorScheme } from '@mantine/core';
import { Plus, Redo2, Undo2 } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Schema } from '../api/graph';
import { CreateEdge } from '../entity/CreateEdge';
import { useAppearanceVersion } from '../explore/appearance';
import type { Row, useList } from '../explore/lists';
import type { ChangeView, View } from '../explore/url';
import { useEscape } from '../explore/useEscape';
import { notifyProblem } from '../shell/notify';
import { ProblemText } from '../shell/ProblemText';
import { CancellableLoading, Cancelled, EmptyState, LoadError } from '../shell/States';
import { Waiting } from '../shell/Waiting';
import { formatCount, pluralize } from '../values/text';
import { labelOf } from './drawing';
import { ExportMenu } from './ExportMenu';
import { groupsOf, isMark, markTitle } from './groups';
import { ItemList } from './ItemList';
import { Lasso } from './Lasso';
import { layoutNameOf } from './layoutStorage';
import { Legend } from './Legend';
import { Minimap } from './Minimap';
import { capacity } from './model';
import { openMark, SelectionTools } from './SelectionTools';
import { StyleMenu } from './StyleMenu';
import { useCanvas } from './useCanvas';
import { useGraph, type Graph } from './useGraph';
import { useSteps } from './useSteps';
import { buildScales, parseStyle, serializeStyle, type Scales } from './valueStyle';
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
  // A link or a saved view may show more than the first page.
  const wanted = Math.min(view.rows, capacity);
  useEffect(() => {
    if (rows.length > 0 && rows.length < wanted && list.hasNextPage && !list.isFetching && !list.isError) void list.fetchNextPage();
  }, [rows.length, wanted, list]);
  if (list.isPending && list.fetchStatus === 'idle') return <Cancelled subject="the selection" retry={() => void list.refetch()} />;
  if (list.isPending || (list.isPlaceholderData && rows.length === 0))
    return <CancellableLoading subject="the selection" onCancel={onCancel} />;
  if (list.isError && rows.length === 0) return <LoadError error={list.error} subject="the selection" retry={() => void list.refetch()} />;
  if (rows.length === 0) return <EmptyState title="Nothing to draw">The selection is empty.</EmptyState>;
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
  const appearance = useAppearanceVersion();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const graph = useGraph(rows, complete, view.steps);
  const steps = useSteps(view, change);
  const [expanding, setExpanding] = useState(false);
  const [newEdgeEnds, setNewEdgeEnds] = useState<[string, string] | null>(null);
  const style = useMemo(() => parseStyle(view.style), [view.style]);
  const scales = useMemo(() => buildScales(style, graph, dark), [style, graph.nodes, graph.edges, dark]);
  const canvas = useCanvas({
    layoutName: layoutNameOf(view),
    graph,
    dark,
    appearance,
    scales,
    open: view.open,
    onOpen: (open) => change({ open }),
    onExpand: expand,
  });
  const selected = canvas.selected.filter((id) => !id.startsWith('edge '));
  const items = useItems(graph.drawing, appearance);

  function expand(id: string) {
    const mark = graph.drawing.marks.find((each) => each.id === id);
    if (mark && mark.combined === 0) return openMark(mark, steps);
    if (mark) canvas.select(mark.hub, false);
    setExpanding(true);
  }

  function hide(ids: string[]) {
    canvas.clearSelection();
    steps.hide(ids);
  }
  function cancel() {
    graph.cancel();
    if (graph.pendingSteps.length > 0) steps.remove(graph.pendingSteps);
    if (list.isFetching) onCancel();
  }
  function group(id: string) {
    const groups = groupsOf(graph.drawing, id);
    if (groups.length > 0) steps.group(id, groups);
  }
  function handleKey(key: string, id: string): boolean {
    if (key === 'e') expand(id);
    else if (key === 'p') canvas.togglePinned([id]);
    else if (isMark(id)) return false;
    else if (key === 'c') steps.collapse(id);
    else if (key === 'h') hide([id]);
    else if (key === 'g') group(id);
    else return false;
    return true;
  }

  return (
    <>
      <div className="canvas-bar" role="toolbar" aria-label="Canvas">
        <SelectionTools
          graph={graph}
          selected={selected}
          canvas={canvas}
          steps={steps}
          expanding={expanding}
          onExpanding={setExpanding}
          onHide={hide}
          onCreateEdge={setNewEdgeEnds}
        />
        <span className="spacer" />
        <StepButtons steps={steps} />
        <StyleMenu
          style={style}
          graph={graph}
          onChange={(next) => change((now) => ({ style: serializeStyle({ ...parseStyle(now.style), ...next }) }))}
        />
        <ExportMenu graph={graph} instance={canvas.instance} scales={scales} dark={dark} />
      </div>
      <div className="canvas-wrap">
        <CanvasStage canvas={canvas} graph={graph} schema={schema} scales={scales} dark={dark} />
        <ItemList
          items={items}
          selected={selected}
          onSelect={canvas.select}
          onSelectAll={(ids) => canvas.selectAll(ids, false)}
          onOpen={(id) => (isMark(id) ? expand(id) : change({ open: { kind: 'node', id } }))}
          onKey={handleKey}
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

/** The nodes and marks as a list. */
function useItems(drawing: Graph['drawing'], appearance: number) {
  return useMemo(
    () => [
      ...drawing.nodes.map((node) => ({ id: node.id, type: node.type, label: labelOf(node) })),
      ...drawing.marks.map((mark) => ({ id: mark.id, type: mark.type, label: markTitle(mark) })),
    ],
    // eslint-disable-next-line react-hooks/exhaustive-deps -- labels change with the appearance of types
    [drawing, appearance],
  );
}

function StepButtons({ steps }: { steps: ReturnType<typeof useSteps> }) {
  return (
    <>
      {steps.canUndo && (
        <Button size="compact-sm" variant="default" leftSection={<Undo2 size={14} />} onClick={steps.undo} title="Undo step">
          Undo step
        </Button>
      )}
      {steps.canRedo && (
        <Button size="compact-sm" variant="default" leftSection={<Redo2 size={14} />} onClick={steps.redo} title="Redo step">
          Redo step
        </Button>
      )}
    </>
  );
}

interface StageProps {
  canvas: ReturnType<typeof useCanvas>;
  graph: Graph;
  schema: Schema;
  scales: Scales;
  dark: boolean;
}

/** The drawing, and what lies above it. */
function CanvasStage({ canvas, graph, schema, scales, dark }: StageProps) {
  const stage = useRef<HTMLDivElement>(null);
  const [lasso, setLasso] = useState(false);
  useEscape(lasso, () => setLasso(false));
  return (
    <div className="canvas-stage" ref={stage}>
      <div className="canvas" ref={canvas.container} aria-hidden data-testid="canvas" />
      {graph.error ? (
        <Alert color="red" variant="light" pos="absolute" top={10} left={10} right={10} p="xs" role="alert">
          Part of the graph could not be loaded: <ProblemText error={graph.error} />
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
      <Legend content={graph} schema={schema} scales={scales} dark={dark} />
      <ViewTools
        onZoom={canvas.zoomBy}
        onFit={canvas.showAll}
        onLayout={canvas.rerunLayout}
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
          {formatCount(graph.omitted)} more are not shown: the canvas shows at most {formatCount(capacity)} nodes and edges.
        </span>
      )}
      {grouped > 0 && <span>{formatCount(grouped)} nodes are in groups.</span>}
      {graph.truncated && <span>There are more edges between these nodes than the canvas shows.</span>}
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
