// The selection as a graph. This file and what it imports, Cytoscape above all, are loaded when it is first shown.
import { ActionIcon, Alert, Button, Group, Menu, Text, Tooltip, useComputedColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Core, NodeSingular } from 'cytoscape';
import { Download, EyeOff, Maximize, Minimize2, Pin, PinOff, Plus, RefreshCw, Route, Spline, Undo2, ZoomIn, ZoomOut } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { findPath, type Direction, type Schema } from '../api/graph';
import { asProblem } from '../api/problem';
import { CreateEdge } from '../entity/CreateEdge';
import type { View } from '../explore/url';
import { useAppearanceVersion } from '../explore/appearance';
import { formatCondition } from '../explore/filters';
import type { useList } from '../explore/lists';
import { usePermissions } from '../session/session';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { notify, notifyProblem } from '../shell/notify';
import { formatCount } from '../values/text';
import { runLayout, createCanvas, fit, highlight, labelOf, applyStyle, readPositions, syncElements } from './drawing';
import { ExpandMenu } from './ExpandMenu';
import { saveEdgesCsv, saveJson, saveNodesCsv, savePng, saveSvg } from './exports';
import { ItemList } from './ItemList';
import { saveLayout, loadLayout } from './layoutStorage';
import { Legend } from './Legend';
import { capacity } from './model';
import { removeExpansions, isExpanded, parseSteps, serializeSteps } from './steps';
import { useGraph } from './useGraph';

interface Props {
  list: ReturnType<typeof useList>;
  view: View;
  change: (next: Partial<View>) => void;
  schema: Schema;
}

export default function CanvasView({ list, view, change, schema }: Props) {
  const rows = useMemo(() => list.data?.pages.flatMap((p) => p.items) ?? [], [list.data]);
  if (list.isPending) return <Loading what="the selection" />;
  if (list.isError && rows.length === 0) return <LoadError error={list.error} what="the selection" retry={() => void list.refetch()} />;
  if (rows.length === 0) return <EmptyState title="Nothing to draw">There is nothing of this type in the database.</EmptyState>;
  return <Canvas rows={rows} list={list} view={view} change={change} schema={schema} />;
}

function Canvas({ rows, list, view, change, schema }: Props & { rows: Parameters<typeof useGraph>[0] }) {
  const may = usePermissions();
  const queries = useQueryClient();
  const looks = useAppearanceVersion();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const layout = `${view.kind} ${view.type ?? '*'} ${view.conditions.map(formatCondition).join(' ')}`;
  const graph = useGraph(rows, schema, view.steps);
  const steps = useMemo(() => parseSteps(view.steps), [view.steps]);
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<Core | null>(null);
  const moved = useRef(false);
  const [selected, setSelected] = useState<string[]>(view.open ? [view.open.kind === 'node' ? view.open.id : `edge ${view.open.id}`] : []);
  const [expanding, setExpanding] = useState(false);
  const [linking, setLinking] = useState<[string, string] | null>(null);
  const [, redraw] = useState(0);

  // Handlers of the canvas outlive a render; they read the current one here.
  const latest = useRef({ change, view });
  latest.current = { change, view };

  useEffect(() => {
    if (!stage.current) return;
    const cy = createCanvas(stage.current, dark);
    canvas.current = cy;
    // In the order in which they were selected.
    const read = () => {
      const now = cy.$(':selected').map((e) => e.id());
      setSelected((before) => [...before.filter((id) => now.includes(id)), ...now.filter((id) => !before.includes(id))]);
    };
    cy.on('select unselect', read);
    cy.on('tap', 'node', (event) => latest.current.change({ open: { kind: 'node', id: (event.target as { id: () => string }).id() } }));
    cy.on('tap', 'edge', (event) => latest.current.change({ open: { kind: 'edge', id: String((event.target as { data: (k: string) => unknown }).data('edge')) } }));
    cy.on('dbltap', 'node', () => setExpanding(true));
    // Until the user has moved the view, it always shows everything.
    cy.on('scrollzoom pinchzoom dragpan', () => (moved.current = true));
    const resize = new ResizeObserver(() => {
      cy.resize();
      if (!moved.current) fit(cy, false);
    });
    resize.observe(stage.current);
    return () => {
      saveLayout(layout, readPositions(cy));
      resize.disconnect();
      cy.destroy();
      canvas.current = null;
    };
    // The look is changed below, without a new canvas.
  }, [layout]);

  useEffect(() => {
    const cy = canvas.current;
    if (!cy) return;
    const first = cy.elements().empty();
    if (first && graph.loading) return; // without its edges a graph would be laid out as a heap of dots
    const fresh = syncElements(cy, graph, first ? loadLayout(layout) : new Map());
    if (first) for (const id of selected) cy.getElementById(id).select(); // they were chosen in the list before they were drawn
    if (fresh.length > 0) runLayout(cy, first && fresh.length === cy.nodes().length ? 'all' : fresh);
    if (fresh.length > 0 && !moved.current) fit(cy, !first);
  }, [graph.nodes, graph.edges, graph.loading, looks, layout]);

  useEffect(() => {
    if (canvas.current) applyStyle(canvas.current, dark);
  }, [dark]);
  useEffect(() => {
    if (canvas.current) highlight(canvas.current, selected);
  }, [selected, graph.nodes, graph.edges]);

  const select = useCallback((id: string, add: boolean) => {
    const node = canvas.current?.getElementById(id);
    if (canvas.current && node?.nonempty()) reveal(canvas.current, node as NodeSingular, add);
    else setSelected((before) => (add ? [...before.filter((other) => other !== id), id] : [id])); // it is listed, but not drawn yet
    if (add) return;
    latest.current.change({ open: { kind: 'node', id } });
  }, []);

  const nodes = selected.filter((id) => !id.startsWith('edge '));
  const one = nodes.length === 1 ? nodes[0]! : null;
  const chosen = graph.nodes.find((n) => n.id === one);
  const pinned = one !== null && (canvas.current?.getElementById(one).hasClass('pinned') ?? false);

  const setSteps = (next: typeof steps) => change({ steps: serializeSteps(next) });
  const expandBy = (id: string, direction: Direction, type: string | null) => setSteps([...steps.filter((s) => !(s.do === 'expand' && s.id === id && s.direction === direction && s.type === type)), { do: 'expand', id, direction, type }]);
  async function addPath(id: string, to: string) {
    try {
      const path = await queries.fetchQuery({ queryKey: ['node-edges', id, 'path', to], queryFn: () => findPath(id, to) });
      if (path.nodes.length === 0) notify('They are not joined by a few edges.', 'No path');
      else setSteps([...steps, { do: 'path', id, to }]);
    } catch (error) {
      notifyProblem(error, 'No path');
    }
  }
  function hide(ids: string[]) {
    setSelected([]);
    change({ steps: serializeSteps([...steps, ...ids.map((id) => ({ do: 'hide' as const, id }))]), ...(view.open && ids.includes(view.open.id) ? { open: null } : {}) });
  }
  function pin(ids: string[]) {
    const cy = canvas.current;
    if (!cy) return;
    for (const id of ids) cy.getElementById(id).toggleClass('pinned');
    redraw((n) => n + 1);
  }
  function key(name: string, id: string): boolean {
    if (name === 'e') setExpanding(true);
    else if (name === 'c') setSteps(removeExpansions(steps, id));
    else if (name === 'p') pin([id]);
    else if (name === 'h') hide([id]);
    else return false;
    return true;
  }
  const colours = dark ? { ground: '#15191b', text: '#e6eaec', line: '#5d6970' } : { ground: '#ffffff', text: '#1b2429', line: '#a7b3ba' };
  function refit() {
    moved.current = false;
    if (canvas.current) fit(canvas.current, true);
  }
  const zoom = (factor: number) => (moved.current = true) && canvas.current?.zoom({ level: canvas.current.zoom() * factor, renderedPosition: { x: canvas.current.width() / 2, y: canvas.current.height() / 2 } });

  return (
    <>
      <Group gap={6} px="sm" py={6} mih={40} style={{ borderBottom: '1px solid var(--line)' }} role="toolbar" aria-label="Canvas">
        {chosen ? (
          <>
            <Text size="sm" fw={600} truncate maw={220}>
              {labelOf(chosen)}
            </Text>
            <ExpandMenu key={chosen.id} id={chosen.id} opened={expanding} onOpened={setExpanding} onExpand={(direction, type) => expandBy(chosen.id, direction, type)} />
            {isExpanded(steps, chosen.id) && (
              <Button size="compact-sm" variant="default" leftSection={<Minimize2 size={14} />} onClick={() => setSteps(removeExpansions(steps, chosen.id))}>
                Collapse
              </Button>
            )}
            <Button size="compact-sm" variant="default" leftSection={pinned ? <PinOff size={14} /> : <Pin size={14} />} onClick={() => pin([chosen.id])}>
              {pinned ? 'Unpin' : 'Pin'}
            </Button>
            <Button size="compact-sm" variant="default" leftSection={<EyeOff size={14} />} onClick={() => hide([chosen.id])}>
              Hide
            </Button>
          </>
        ) : nodes.length > 1 ? (
          <>
            <Text size="sm" fw={600}>
              {nodes.length} nodes selected
            </Text>
            {nodes.length === 2 && (
              <Button size="compact-sm" variant="default" leftSection={<Route size={14} />} onClick={() => void addPath(nodes[0]!, nodes[1]!)}>
                Shortest path
              </Button>
            )}
            {nodes.length === 2 && may.create && (
              <Button size="compact-sm" variant="default" leftSection={<Spline size={14} />} onClick={() => setLinking([nodes[0]!, nodes[1]!])}>
                Draw an edge
              </Button>
            )}
            <Button size="compact-sm" variant="default" leftSection={<Pin size={14} />} onClick={() => pin(nodes)}>
              Pin
            </Button>
            <Button size="compact-sm" variant="default" leftSection={<EyeOff size={14} />} onClick={() => hide(nodes)}>
              Hide
            </Button>
          </>
        ) : (
          <Text size="sm" c="dimmed">
            Select a node to expand it; hold Shift to select several.
          </Text>
        )}
        <span className="spring" />
        {steps.length > 0 && (
          <Button size="compact-sm" variant="default" leftSection={<Undo2 size={14} />} onClick={() => setSteps(steps.slice(0, -1))}>
            Step back
          </Button>
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="compact-sm" variant="default" leftSection={<Download size={14} />}>
              Export
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => canvas.current && savePng(canvas.current, colours.ground).catch((error: unknown) => notifyProblem(error, 'No picture'))}>Picture (PNG)</Menu.Item>
            <Menu.Item onClick={() => canvas.current && saveSvg(canvas.current, colours)}>Picture (SVG)</Menu.Item>
            <Menu.Item onClick={() => saveNodesCsv(graph)}>Nodes (CSV)</Menu.Item>
            <Menu.Item onClick={() => saveEdgesCsv(graph)}>Edges (CSV)</Menu.Item>
            <Menu.Item onClick={() => saveJson(graph)}>Both (JSON)</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Group>
      <div className="canvas-wrap">
        <div className="canvas-stage">
          <div className="canvas" ref={stage} aria-hidden data-testid="canvas" />
          {graph.error ? (
            <Alert color="red" variant="light" pos="absolute" top={10} left={10} right={10} p="xs" role="alert">
              Not everything could be drawn: {asProblem(graph.error).text}
            </Alert>
          ) : null}
          <Legend picture={graph} schema={schema} />
          <Tools onZoom={zoom} onFit={() => refit()} onArrange={() => canvas.current && (runLayout(canvas.current, 'all'), refit())} />
        </div>
        <ItemList nodes={graph.nodes} selected={nodes} onSelect={select} onOpen={(id) => change({ open: { kind: 'node', id } })} onKey={key} />
      </div>
      <div className="grid-foot" role="status">
        <span>
          {formatCount(graph.nodes.length)} nodes, {formatCount(graph.edges.length)} edges{graph.loading ? ', loading more…' : ''}
        </span>
        {graph.omitted > 0 && <span>{formatCount(graph.omitted)} more are left out: the canvas takes {formatCount(capacity)} nodes and edges.</span>}
        {graph.bare && graph.edges.length === 0 && <span>Edges appear as nodes are expanded.</span>}
        {list.hasNextPage && (
          <Button size="compact-xs" variant="subtle" leftSection={<Plus size={12} />} loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Load more of the selection
          </Button>
        )}
      </div>
      {linking && <CreateEdge schema={schema} type={null} source={linking[0]} target={linking[1]} onClose={() => setLinking(null)} onCreated={(id) => change({ open: { kind: 'edge', id } })} />}
    </>
  );
}

/** Selects a node and brings it into view. */
function reveal(cy: Core, node: NodeSingular, add: boolean) {
  if (!add) cy.$(':selected').unselect();
  node.select();
  const box = cy.extent();
  const { x, y } = node.position();
  if (x < box.x1 || x > box.x2 || y < box.y1 || y > box.y2) cy.center(node);
}

function Tools({ onZoom, onFit, onArrange }: { onZoom: (factor: number) => void; onFit: () => void; onArrange: () => void }) {
  const tool = (label: string, Icon: typeof ZoomIn, onClick: () => void) => (
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
      {tool('Fit the view', Maximize, onFit)}
      {tool('Arrange anew', RefreshCw, onArrange)}
    </div>
  );
}
