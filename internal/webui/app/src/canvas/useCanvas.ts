// The Cytoscape instance of the canvas: it lives in the container and follows the content, the colours and the selection.
import type { Core, EventObject, NodeSingular, Position } from 'cytoscape';
import { useCallback, useEffect, useRef, useState, type Dispatch, type RefObject, type SetStateAction } from 'react';
import type { EntityRef } from '../explore/url';
import { applyStyle, createCanvas, fitView, highlight, overlaysOf, readPositions, syncElements, type Positions } from './drawing';
import { isMark } from './groups';
import { layOutInLevels, runLayoutInSlices } from './layout';
import type { LevelKind } from './levels';
import { loadLayout, notifyDrawn, saveLayout, setDrawn } from './layoutStorage';
import type { Graph } from './useGraph';
import type { Scales } from './valueStyle';

interface Options {
  /** The key under which the positions of nodes are stored. */
  layoutName: string;
  graph: Graph;
  dark: boolean;
  /** Changes when the colours, captions or sizes of types do. */
  appearance: number;
  /** The style by value. */
  scales: Scales;
  /** The entity that is selected at first. */
  open: EntityRef | null;
  onOpen: (entity: EntityRef) => void;
  /** Called on a double click on a node or a mark. */
  onExpand: (id: string) => void;
}

export type LayoutKind = 'force' | LevelKind;

const elementId = (entity: EntityRef) => (entity.kind === 'node' ? entity.id : `edge ${entity.id}`);

export function useCanvas({ layoutName, graph, dark, appearance, scales, open, onOpen, onExpand }: Options) {
  const container = useRef<HTMLDivElement>(null);
  const instance = useRef<Core | null>(null);
  const viewMoved = useRef(false);
  const [selected, setSelected] = useState<string[]>(open ? [elementId(open)] : []);
  const [core, setCore] = useState<Core | null>(null);
  // The last positions of all elements, also of those that were removed and may come back.
  const positions = useRef<Positions>(new Map());
  const layouts = useLayouts(instance, viewMoved);
  const [, redraw] = useState(0);

  // Event handlers of Cytoscape outlive a render; they read the current callbacks from this ref.
  const callbacks = useRef({ onOpen, onExpand });
  callbacks.current = { onOpen, onExpand };

  useEffect(() => {
    if (!container.current) return;
    const cy = createCanvas(container.current, dark);
    instance.current = cy;
    setCore(cy);
    positions.current = loadLayout(layoutName);
    followSelection(cy, setSelected);
    handleTaps(cy, callbacks);
    // The view shows all elements until the user moves it.
    cy.on('scrollzoom pinchzoom dragpan', () => (viewMoved.current = true));
    const resize = new ResizeObserver(() => {
      cy.resize();
      if (!viewMoved.current) fitView(cy, false);
    });
    resize.observe(container.current);
    for (const overlay of overlaysOf(cy)) resize.observe(overlay); // the legend folds and grows
    const save = () => saveLayout(layoutName, layouts.finalPositions(cy));
    setDrawn({
      positions: () => layouts.finalPositions(cy),
      types: () => ({ node: typesIn(cy.nodes().toArray()), edge: typesIn(cy.edges().toArray()) }),
    });
    cy.on('dragfree', 'node', notifyDrawn);
    window.addEventListener('pagehide', save); // also before a reload
    return () => {
      window.removeEventListener('pagehide', save);
      setDrawn(null);
      save();
      layouts.stop();
      resize.disconnect();
      cy.destroy();
      instance.current = null;
      setCore(null);
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the colours are changed below, without a new canvas
  }, [layoutName]);

  useEffect(() => {
    if (instance.current) applyStyle(instance.current, dark);
  }, [dark]);
  useEffect(() => {
    const cy = instance.current;
    if (!cy) return;
    const isFirst = cy.elements().empty();
    // Nodes whose edges are still being read would be placed as if they had none.
    if (graph.loading && graph.drawing.nodes.some((node) => cy.getElementById(node.id).empty())) return;
    for (const [id, position] of layouts.finalPositions(cy)) positions.current.set(id, position);
    const newIds = syncElements(cy, graph.drawing, positions.current, scales); // also of rows that are loaded later
    if (isFirst) for (const id of selected) cy.getElementById(id).select(); // selected in the list before they were drawn
    if (newIds.length > 0) layouts.start(newIds, isFirst);
    else if (isFirst && !viewMoved.current) fitView(cy, false);
    notifyDrawn();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the selection is read only for the first elements
  }, [graph.drawing, graph.loading, appearance, scales, layoutName, dark]);

  useEffect(() => {
    if (instance.current) highlight(instance.current, selected, graph.path);
  }, [selected, graph.drawing, graph.path]);

  const { select, selectAll } = useSelectActions(instance, callbacks, setSelected);
  const view = useViewControls(instance, viewMoved, layouts.start);

  function togglePinned(ids: string[]) {
    const cy = instance.current;
    if (!cy) return;
    for (const id of ids) cy.getElementById(id).toggleClass('pinned');
    notifyDrawn();
    redraw((n) => n + 1);
  }
  return {
    container,
    instance,
    core,
    selected,
    select,
    selectAll,
    clearSelection: () => setSelected([]),
    isPinned: (id: string) => instance.current?.getElementById(id).hasClass('pinned') ?? false,
    togglePinned,
    ...view,
  };
}

const typesIn = (elements: { data: (key: string) => unknown }[]) =>
  [...new Set(elements.map((element) => element.data('type')))].filter((type) => typeof type === 'string');

/** Selects a node and scrolls it into view. */
function reveal(cy: Core, node: NodeSingular, add: boolean) {
  if (!add) cy.$(':selected').unselect();
  node.select();
  const box = cy.extent();
  const { x, y } = node.position();
  if (x < box.x1 || x > box.x2 || y < box.y1 || y > box.y2) cy.center(node);
}

type Callbacks = RefObject<Pick<Options, 'onOpen' | 'onExpand'>>;
type SetSelected = Dispatch<SetStateAction<string[]>>;

/** What selects nodes. */
function useSelectActions(instance: RefObject<Core | null>, callbacks: Callbacks, setSelected: SetSelected) {
  /** Selects a node; add keeps the nodes selected so far, and does not open it. */
  const select = useCallback(
    (id: string, add: boolean) => {
      const node = instance.current?.getElementById(id);
      if (instance.current && node?.nonempty()) reveal(instance.current, node as NodeSingular, add);
      else setSelected((before) => (add ? [...before.filter((other) => other !== id), id] : [id])); // listed, but not drawn yet
      if (!add && !isMark(id)) callbacks.current.onOpen({ kind: 'node', id });
    },
    [instance, callbacks, setSelected],
  );

  /** Selects nodes; add keeps those selected so far. Opens none. */
  const selectAll = useCallback(
    (ids: string[], add: boolean) => {
      const cy = instance.current;
      cy?.batch(() => {
        if (!add) cy.$(':selected').unselect();
        for (const id of ids) cy.getElementById(id).select();
      });
    },
    [instance],
  );

  return { select, selectAll };
}

type StartLayout = (newIds: string[] | 'all', isFirst: boolean) => void;

/** The layout of the canvas: one runs at a time, in slices, and the view follows it until the user moves the view. */
function useLayouts(instance: RefObject<Core | null>, viewMoved: RefObject<boolean>) {
  const running = useRef<{ ids: ReadonlySet<string>; stop: () => void } | null>(null);
  const stop = useCallback(() => {
    running.current?.stop();
    running.current = null;
  }, []);
  /** Lays out new nodes, and again those of a layout that has not ended. */
  const start = useCallback<StartLayout>(
    (newIds, isFirst) => {
      const cy = instance.current;
      if (!cy) return;
      const unfinished = running.current?.ids ?? [];
      stop();
      const ids = newIds === 'all' ? newIds : [...new Set([...unfinished, ...newIds])];
      const layout = runLayoutInSlices(cy, ids, (ended) => {
        if (ended) running.current = null;
        if (!viewMoved.current) fitView(cy, ended && !isFirst);
        if (ended) notifyDrawn();
        if (ended) cy.emit('settled');
      });
      if (!layout.ended) running.current = layout;
    },
    [instance, viewMoved, stop],
  );
  /** The positions of nodes but those that are being laid out. */
  const finalPositions = useCallback((cy: Core): Positions => {
    const positions = readPositions(cy);
    for (const id of running.current?.ids ?? []) positions.delete(id);
    return positions;
  }, []);
  return { start, stop, finalPositions };
}

/** What moves the view. */
function useViewControls(instance: RefObject<Core | null>, viewMoved: RefObject<boolean>, startLayout: StartLayout) {
  function showAll() {
    viewMoved.current = false;
    if (instance.current) fitView(instance.current, true);
  }
  function rerunLayout(kind: LayoutKind) {
    viewMoved.current = false;
    const cy = instance.current;
    if (kind === 'force' || !cy) return startLayout('all', false);
    layOutInLevels(cy, kind);
    fitView(cy, true);
    notifyDrawn();
    cy.emit('settled');
  }
  function zoomBy(factor: number) {
    viewMoved.current = true;
    const cy = instance.current;
    cy?.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
  }

  /** Moves the view so that a point of the graph is in its middle. */
  const centerOn = useCallback(
    ({ x, y }: Position) => {
      const cy = instance.current;
      viewMoved.current = true;
      cy?.pan({ x: cy.width() / 2 - x * cy.zoom(), y: cy.height() / 2 - y * cy.zoom() });
    },
    [instance, viewMoved],
  );
  return { showAll, rerunLayout, zoomBy, centerOn };
}

/** Keeps the selected elements in the order in which they were selected. It is read once after many events. */
function followSelection(cy: Core, setSelected: SetSelected) {
  let isPending = false;
  const readSelection = () => {
    isPending = false;
    const now = new Set(cy.$(':selected').map((e) => e.id()));
    setSelected((before) => [...before.filter((id) => now.delete(id)), ...now]);
  };
  cy.on('select unselect', () => {
    if (!isPending) queueMicrotask(readSelection);
    isPending = true;
  });
}

function handleTaps(cy: Core, callbacks: Callbacks) {
  const idOf = (event: EventObject) => (event.target as { id: () => string }).id();
  // A click with a modifier selects several, and opens none.
  const opens = ({ originalEvent: { shiftKey, ctrlKey, metaKey } }: EventObject) => !shiftKey && !ctrlKey && !metaKey;
  cy.on('tap', 'node[!mark]', (event) => opens(event) && callbacks.current.onOpen({ kind: 'node', id: idOf(event) }));
  cy.on(
    'tap',
    'edge[!mark]',
    (event) =>
      opens(event) &&
      callbacks.current.onOpen({ kind: 'edge', id: String((event.target as { data: (k: string) => unknown }).data('edge')) }),
  );
  cy.on('dbltap', 'node', (event) => callbacks.current.onExpand(idOf(event)));
}
