// The positions of nodes on the canvas: by forces for nodes with edges, in rows for the others. A pinned node, and a node that was placed
// before, stays where it is.
import type cytoscape from 'cytoscape';
import type { Core, NodeCollection, NodeSingular } from 'cytoscape';
import { cell } from './cell';
import { placeInLevels, type LevelKind } from './levels';
import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from 'd3-force';

/** The distance of two connected nodes, and the least distance of the circles of any two, in pixels. */
const edgeLength = 95;
const gap = 18;
/** How often the forces are applied, and how often the circles that still overlap are moved apart afterwards. */
const forceTicks = 200;
const separationTicks = 60;
/** The time of one slice of a layout that runs while the page can be used, in milliseconds. */
const slice = 80;

/** Few nodes are further apart, so that their captions have room. */
const spread = (nodes: number) => (nodes <= 60 ? 1.6 : nodes <= 150 ? 1.3 : 1);

interface Body extends SimulationNodeDatum {
  id: string;
  radius: number;
}

export interface Layout {
  /** The nodes that it places; their positions are not final before it has ended. */
  ids: ReadonlySet<string>;
  /** Runs for about some milliseconds, and returns whether it has ended. */
  run: (milliseconds: number) => boolean;
}

/** Lays out the given nodes at once; all others and pinned nodes keep their positions. */
export function runLayout(cy: Core, newIds: string[] | 'all') {
  startLayout(cy, newIds).run(Infinity);
}

/** Lays out the given nodes in slices, between which the page can be used. Returns the layout, and what stops it. */
export function runLayoutInSlices(cy: Core, newIds: string[] | 'all', onSlice: (ended: boolean) => void) {
  const layout = startLayout(cy, newIds);
  let frame = 0;
  const next = () => {
    const ended = layout.run(slice);
    if (!ended) frame = requestAnimationFrame(next);
    onSlice(ended);
    return ended;
  };
  const ended = next();
  return { ids: layout.ids, ended, stop: () => cancelAnimationFrame(frame) };
}

/** Places all nodes by levels; pinned nodes stay, and nodes without edges are in rows. */
export function layOutInLevels(cy: Core, kind: LevelKind) {
  const connected = cy.nodes().not('.alone');
  const positions = placeInLevels(
    {
      ids: connected.map((node) => node.id()),
      edges: cy.edges().map((edge): [string, string] => [edge.source().id(), edge.target().id()]),
      roots: cy.nodes(':selected').map((node) => node.id()),
    },
    kind,
  );
  cy.batch(() => {
    connected
      .not('.pinned')
      .nodes()
      .forEach((node) => void node.position(positions.get(node.id())!));
  });
  const alone = cy.nodes('.alone').not('.pinned');
  if (alone.nonempty()) placeInGrid(cy, alone, connected.nonempty() ? connected.boundingBox({ includeLabels: false }) : null);
}

/** Prepares a layout of the given nodes. */
export function startLayout(cy: Core, newIds: string[] | 'all'): Layout {
  const nodes = cy.nodes();
  const all = newIds === 'all' || newIds.length === nodes.length;
  const ids = new Set(newIds === 'all' ? nodes.map((n) => n.id()) : newIds);
  const moving = nodes.filter((node) => ids.has(node.id()) && !node.hasClass('pinned'));
  const alone = moving.filter('.alone');
  // The counts of a hub arrive after its neighbors have been placed.
  const marks = all ? cy.collection() : moving.filter('[?mark]');
  const inForces = moving.not(alone).not(marks).nodes();
  if (!all) placeNearNeighbors(inForces);
  const simulation = inForces.nonempty() ? simulate(cy, inForces, all) : null;
  let ended = false;
  return {
    ids,
    run: (milliseconds) => {
      if (ended) return true;
      const until = performance.now() + milliseconds;
      while (simulation && !simulation.tick()) if (performance.now() > until) break;
      simulation?.place();
      if (simulation && !simulation.hasEnded()) return false;
      ended = true;
      placeAround(cy, marks as NodeCollection);
      const rest = cy.elements().not(alone);
      if (alone.nonempty()) placeInGrid(cy, alone, rest.nonempty() ? rest.boundingBox({ includeLabels: false }) : null);
      return true;
    },
  };
}

/**
 * The forces between nodes (d3-force): all repel each other as far as the repulsion can be seen, edges pull, the middle attracts. Circles
 * that overlap at the end are moved apart.
 */
function simulate(cy: Core, moving: NodeCollection, all: boolean) {
  const bodies = inOrderOfEdges(cy.nodes().not('.alone').nodes()).map((node): Body => {
    const { x, y } = node.position();
    const isMoving = moving.has(node);
    // Without a position, d3-force begins with a spiral in the order of the bodies.
    const start = isMoving && all ? {} : isMoving ? { x, y } : { x, y, fx: x, fy: y };
    return { id: node.id(), radius: (Number(node.data('size')) || 40) / 2, ...start };
  });
  const known = new Set(bodies.map((body) => body.id));
  const links = cy
    .edges()
    .toArray()
    .filter((edge) => !edge.isLoop() && known.has(edge.source().id()) && known.has(edge.target().id()))
    .map((edge) => ({ source: edge.source().id(), target: edge.target().id() }));
  const factor = all ? spread(bodies.length) : 1;
  const collide = forceCollide<Body>((body) => body.radius + (factor * gap) / 2);
  const forces = forceSimulation(bodies)
    .alphaDecay(1 - Math.pow(0.001, 1 / forceTicks))
    .force(
      'charge',
      forceManyBody<Body>()
        .strength(-280 * factor ** 2)
        .theta(1.1)
        .distanceMax(900),
    )
    .force(
      'link',
      forceLink<Body, { source: string; target: string }>(links)
        .id((body) => body.id)
        .distance(factor * edgeLength),
    )
    .force('collide', collide)
    .force('x', forceX(0).strength(all ? 0.05 : 0))
    .force('y', forceY(0).strength(all ? 0.08 : 0)) // windows are wider than high
    .stop();
  let ticks = 0;
  return {
    hasEnded: () => ticks >= forceTicks + separationTicks,
    /** Applies the forces once, and returns whether the layout has ended. */
    tick: () => {
      if (ticks === forceTicks) {
        for (const name of ['charge', 'link', 'x', 'y']) forces.force(name, null);
        collide.iterations(3);
      }
      if (ticks < forceTicks + separationTicks) forces.tick();
      ticks++;
      return ticks >= forceTicks + separationTicks;
    },
    place: () => {
      cy.batch(() => {
        for (const { id, x, y } of bodies) {
          const node = cy.getElementById(id);
          if (moving.has(node)) node.position({ x: x!, y: y! });
        }
      });
    },
  };
}

/** The nodes in the order of a breadth-first search from those with the most edges, so that neighbors begin near each other. */
function inOrderOfEdges(nodes: NodeCollection): NodeSingular[] {
  const order: NodeSingular[] = [];
  const seen = new Set<string>();
  const byDegree = nodes.toArray().sort((a, b) => b.degree(false) - a.degree(false));
  for (const root of byDegree) {
    if (seen.has(root.id())) continue;
    seen.add(root.id());
    const queue = [root];
    for (let next = queue.shift(); next; next = queue.shift()) {
      order.push(next);
      next.neighborhood('node').forEach((neighbor) => {
        if (seen.has(neighbor.id())) return;
        seen.add(neighbor.id());
        queue.push(neighbor as NodeSingular);
      });
    }
  }
  return order;
}

/** Places nodes without edges in rows below or beside the rest of the graph, so that all of it is shown as large as possible. */
function placeInGrid(cy: Core, nodes: NodeCollection, rest: cytoscape.BoundingBox12 | null) {
  const [restWidth, restHeight] = rest ? [rest.x2 - rest.x1, rest.y2 - rest.y1] : [0, 0];
  const best = { zoom: 0, columns: 1, beside: false };
  for (let columns = 1; columns <= nodes.length; columns++) {
    const [width, height] = [columns * cell.width, Math.ceil(nodes.length / columns) * cell.height];
    for (const beside of rest ? [false, true] : [false]) {
      const all = beside ? [restWidth + width, Math.max(restHeight, height)] : [Math.max(restWidth, width), restHeight + height];
      const zoom = Math.min((cy.width() || 1) / all[0]!, (cy.height() || 1) / all[1]!);
      if (zoom > best.zoom) Object.assign(best, { zoom, columns, beside });
    }
  }
  const rows = Math.ceil(nodes.length / best.columns);
  const left = best.beside ? rest!.x2 + cell.width / 2 : (rest ? (rest.x1 + rest.x2) / 2 : 0) - ((best.columns - 1) * cell.width) / 2;
  const top = best.beside ? (rest!.y1 + rest!.y2 - (rows - 1) * cell.height) / 2 : (rest?.y2 ?? 0) + cell.height / 2;
  nodes.forEach((node, index) => {
    node.position({
      x: Math.ceil(left) + (index % best.columns) * cell.width,
      y: Math.ceil(top) + Math.floor(index / best.columns) * cell.height,
    });
  });
}

/** Places new marks on a circle around their hub, outside of its neighbors. */
function placeAround(cy: Core, marks: NodeCollection) {
  const hubs = new Map<string, NodeSingular[]>();
  marks.forEach((mark) => {
    const hub = mark.neighborhood('node').first();
    hubs.set(hub.id(), [...(hubs.get(hub.id()) ?? []), mark]);
  });
  for (const [id, around] of hubs) {
    const hub = cy.getElementById(id);
    const { x, y } = hub.position();
    const distances = hub
      .neighborhood('node')
      .not(marks)
      .nodes()
      .map((node) => Math.hypot(node.position('x') - x, node.position('y') - y));
    const radius = Math.max(110, ...distances) + 110;
    around.forEach((mark, index) => {
      const angle = ((index + 0.5) * 2 * Math.PI) / around.length;
      mark.position({ x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) });
    });
  }
}

/** Places new nodes near a neighbor that has a position, because the layout starts from there. */
function placeNearNeighbors(moving: NodeCollection) {
  let turn = 0;
  moving.forEach((node) => {
    const anchor = node.neighborhood('node').not(moving).first();
    const from = anchor.nonempty() ? (anchor as NodeSingular).position() : { x: 0, y: 0 };
    turn += 2.4; // the golden angle, in radians, spreads any number evenly
    node.position({ x: from.x + Math.cos(turn) * 110, y: from.y + Math.sin(turn) * 110 });
  });
}
