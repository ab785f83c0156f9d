// The selection as a graph. This file and its imports, Cytoscape above all, are loaded when it is first shown.
import { ActionIcon, Alert, Button, Menu, Text, Tooltip, useComputedColorScheme } from '@mantine/core';
import type { Core } from 'cytoscape';
import { Download, EyeOff, Maximize, Minimize2, Presentation, Pin, PinOff, Plus, Redo2, RefreshCw, Route, Spline, Undo2, ZoomIn, ZoomOut, type LucideIcon } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { Schema } from '../api/graph';
import { useEditPermissions } from '../changesets/proposal';
import { CreateEdge } from '../entity/CreateEdge';
import { useAppearanceVersion } from '../explore/appearance';
import type { Row, useList } from '../explore/lists';
import type { View } from '../explore/url';
import { notifyProblem } from '../shell/notify';
import { ProblemText } from '../shell/ProblemText';
import { CancellableLoading, Cancelled, EmptyState, LoadError } from '../shell/States';
import { Waiting } from '../shell/Waiting';
import { formatCount } from '../values/text';
import { labelOf } from './drawing';
import { ExpandMenu } from './ExpandMenu';
import { saveEdgesCsv, saveJson, saveNodesCsv, savePng, saveSvg } from './exports';
import { ItemList } from './ItemList';
import { layoutNameOf } from './layoutStorage';
import { Legend } from './Legend';
import { capacity } from './model';
import { StyleMenu } from './StyleMenu';
import { useCanvas } from './useCanvas';
import { useGraph, type Graph } from './useGraph';
import { useSteps } from './useSteps';
import { buildScales, parseStyle, serializeStyle } from './valueStyle';

interface Props {
  list: ReturnType<typeof useList>;
  view: View;
  change: (next: Partial<View>) => void;
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
  if (list.isPending || (list.isPlaceholderData && rows.length === 0)) return <CancellableLoading subject="the selection" onCancel={onCancel} />;
  if (list.isError && rows.length === 0) return <LoadError error={list.error} subject="the selection" retry={() => void list.refetch()} />;
  if (rows.length === 0) return <EmptyState title="Nothing to draw">The selection is empty.</EmptyState>;
  return <Canvas rows={rows} list={list} view={view} change={change} schema={schema} onCancel={onCancel} />;
}

function Canvas({ rows, list, view, change, schema, onCancel }: Props & { rows: Row[] }) {
  const appearance = useAppearanceVersion();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const layoutName = layoutNameOf(view);
  const graph = useGraph(rows, view.steps);
  const steps = useSteps(view, change);
  const stage = useRef<HTMLDivElement>(null);
  const [expanding, setExpanding] = useState(false);
  const [newEdgeEnds, setNewEdgeEnds] = useState<[string, string] | null>(null);
  const style = useMemo(() => parseStyle(view.style), [view.style]);
  const scales = useMemo(() => buildScales(style, graph, dark), [style, graph.nodes, graph.edges, dark]);
  const canvas = useCanvas({ layoutName, graph, dark, appearance, scales, open: view.open, onOpen: (open) => change({ open }), onExpand: () => setExpanding(true) });
  const selectedNodes = canvas.selected.filter((id) => !id.startsWith('edge '));

  function hide(ids: string[]) {
    canvas.clearSelection();
    steps.hide(ids);
  }
  function cancel() {
    graph.cancel();
    if (graph.pendingSteps.length > 0) steps.remove(graph.pendingSteps);
    if (list.isFetching) onCancel();
  }
  function handleKey(key: string, id: string): boolean {
    if (key === 'e') setExpanding(true);
    else if (key === 'c') steps.collapse(id);
    else if (key === 'p') canvas.togglePinned([id]);
    else if (key === 'h') hide([id]);
    else return false;
    return true;
  }

  return (
    <>
      <div className="canvas-bar" role="toolbar" aria-label="Canvas">
        <SelectionTools graph={graph} nodes={selectedNodes} canvas={canvas} steps={steps} expanding={expanding} onExpanding={setExpanding} onHide={hide} onCreateEdge={setNewEdgeEnds} />
        <span className="spacer" />
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
        <StyleMenu style={style} graph={graph} onChange={(next) => change({ style: serializeStyle(next) })} />
        <ExportMenu graph={graph} instance={canvas.instance} dark={dark} />
      </div>
      <div className="canvas-wrap">
        <div className="canvas-stage" ref={stage}>
          <div className="canvas" ref={canvas.container} aria-hidden data-testid="canvas" />
          {graph.error ? (
            <Alert color="red" variant="light" pos="absolute" top={10} left={10} right={10} p="xs" role="alert">
              Part of the graph could not be loaded: <ProblemText error={graph.error} />
            </Alert>
          ) : null}
          <Legend content={graph} schema={schema} scales={scales} dark={dark} />
          <ViewTools onZoom={canvas.zoomBy} onFit={canvas.showAll} onLayout={canvas.rerunLayout} onPresent={() => void togglePresentation(stage.current)} />
        </div>
        <ItemList nodes={graph.nodes} selected={selectedNodes} onSelect={canvas.select} onOpen={(id) => change({ open: { kind: 'node', id } })} onKey={handleKey} />
      </div>
      <CanvasFooter graph={graph} list={list} onCancel={cancel} onRows={(loaded) => change({ rows: loaded })} />
      {newEdgeEnds && <CreateEdge schema={schema} type={null} source={newEdgeEnds[0]} target={newEdgeEnds[1]} onClose={() => setNewEdgeEnds(null)} onCreated={(id) => change({ open: { kind: 'edge', id } })} />}
    </>
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
  list: Props['list'];
  onCancel: () => void;
  /** Called with the number of rows when more are loaded. */
  onRows: (loaded: number) => void;
}

function CanvasFooter({ graph, list, onCancel, onRows }: FooterProps) {
  const loadMore = async () => {
    const { data, isSuccess } = await list.fetchNextPage();
    if (isSuccess && data) onRows(data.pages.reduce((sum, page) => sum + page.items.length, 0));
  };
  return (
    <div className="grid-foot">
      <span role="status">
        {formatCount(graph.nodes.length)} nodes, {formatCount(graph.edges.length)} edges{graph.loading ? ', loading more…' : ''}
      </span>
      {graph.omitted > 0 && <span>{formatCount(graph.omitted)} more are not shown: the canvas shows at most {formatCount(capacity)} nodes and edges.</span>}
      {graph.truncated && <span>There are more edges between these nodes than the canvas shows.</span>}
      {(graph.fetching || list.isFetching) && <Waiting subject="the graph" onCancel={onCancel} />}
      {list.isFetchNextPageError && (
        <div role="alert">
          More rows could not be loaded: <ProblemText error={list.error} />
        </div>
      )}
      {list.hasNextPage && (
        <Button size="compact-xs" variant="subtle" leftSection={<Plus size={12} />} loading={list.isFetchingNextPage} onClick={() => void loadMore()}>
          Load more
        </Button>
      )}
    </div>
  );
}

interface SelectionToolsProps {
  graph: Graph;
  /** The ids of the selected nodes, in the order of selection. */
  nodes: string[];
  canvas: ReturnType<typeof useCanvas>;
  steps: ReturnType<typeof useSteps>;
  expanding: boolean;
  onExpanding: (expanding: boolean) => void;
  onHide: (ids: string[]) => void;
  onCreateEdge: (ends: [string, string]) => void;
}

/** The operations on the selected nodes. */
function SelectionTools({ graph, nodes, canvas, steps, expanding, onExpanding, onHide, onCreateEdge }: SelectionToolsProps) {
  const may = useEditPermissions();
  const button = (label: string, Icon: LucideIcon, onClick: () => void) => (
    <Button size="compact-sm" variant="default" leftSection={<Icon size={14} />} onClick={onClick} title={label}>
      {label}
    </Button>
  );
  const node = nodes.length === 1 ? graph.nodes.find((n) => n.id === nodes[0]) : undefined;
  if (node) {
    const pinned = canvas.isPinned(node.id);
    return (
      <>
        <Text size="sm" fw={600} truncate className="canvas-name">
          {labelOf(node)}
        </Text>
        <ExpandMenu key={node.id} id={node.id} opened={expanding} onOpened={onExpanding} onExpand={(direction, type) => steps.expand(node.id, direction, type)} />
        {steps.isExpanded(node.id) && button('Collapse', Minimize2, () => steps.collapse(node.id))}
        {button(pinned ? 'Unpin' : 'Pin', pinned ? PinOff : Pin, () => canvas.togglePinned([node.id]))}
        {button('Hide', EyeOff, () => onHide([node.id]))}
      </>
    );
  }
  if (nodes.length > 1) {
    const [first, second] = nodes as [string, string];
    return (
      <>
        <Text size="sm" fw={600} truncate className="canvas-name">
          {nodes.length} nodes selected
        </Text>
        {nodes.length === 2 && button('Shortest path', Route, () => void steps.addPath(first, second))}
        {nodes.length === 2 && may.edge.create && button('Create an edge', Spline, () => onCreateEdge([first, second]))}
        {button('Pin', Pin, () => canvas.togglePinned(nodes))}
        {button('Hide', EyeOff, () => onHide(nodes))}
      </>
    );
  }
  return (
    <Text size="sm" c="dimmed" truncate className="canvas-name">
      Select a node to expand it; hold Shift to select several.
    </Text>
  );
}

function ExportMenu({ graph, instance, dark }: { graph: Graph; instance: RefObject<Core | null>; dark: boolean }) {
  const failed = (error: unknown) => notifyProblem(error, 'Export failed');
  const colours = dark ? { background: '#15191b', text: '#e6eaec', line: '#5d6970' } : { background: '#ffffff', text: '#1b2429', line: '#a7b3ba' };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="default" leftSection={<Download size={14} />} title="Export">
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => instance.current && savePng(instance.current, colours.background).catch(failed)}>Image (PNG)</Menu.Item>
        <Menu.Item onClick={() => instance.current && saveSvg(instance.current, colours)}>Image (SVG)</Menu.Item>
        <Menu.Item onClick={() => void saveNodesCsv(graph).catch(failed)}>Nodes (CSV)</Menu.Item>
        <Menu.Item onClick={() => saveEdgesCsv(graph)}>Edges (CSV)</Menu.Item>
        <Menu.Item onClick={() => void saveJson(graph).catch(failed)}>Nodes and edges (JSON)</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface ViewToolsProps {
  onZoom: (factor: number) => void;
  onFit: () => void;
  onLayout: () => void;
  onPresent: () => void;
}

function ViewTools({ onZoom, onFit, onLayout, onPresent }: ViewToolsProps) {
  const tool = (label: string, Icon: LucideIcon, onClick: () => void) => (
    <Tooltip label={label} position="left">
      <ActionIcon aria-label={label} onClick={onClick}>
        <Icon size={17} />
      </ActionIcon>
    </Tooltip>
  );
  return (
    <div className="canvas-tools">
      {tool('Zoom in', ZoomIn, () => onZoom(1.3))}
      {tool('Zoom out', ZoomOut, () => onZoom(1 / 1.3))}
      {tool('Fit to view', Maximize, onFit)}
      {tool('Re-run layout', RefreshCw, onLayout)}
      {tool('Full screen', Presentation, onPresent)}
    </div>
  );
}
