// How the whole graph is shown beside what lies over the canvas: its legend and its tools.

export interface Box {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

export interface Viewport {
  zoom: number;
  pan: { x: number; y: number };
}

interface Options {
  /** Of the canvas, in pixels. */
  width: number;
  height: number;
  /** What lies over the canvas, in its pixels. */
  covers: Box[];
  /** Around the graph, in pixels. */
  padding: number;
  minZoom: number;
  maxZoom: number;
}

const sides = [false, true];

/**
 * Returns the viewport that shows a graph as large as possible without one of its nodes below a cover: the covers at the left, at the right
 * or at the bottom may get their own room. If there is no such viewport, the graph takes the whole canvas.
 */
export function fitBeside(graph: Box, nodes: Box[], options: Options): Viewport {
  const { width, height, covers } = options;
  const isLeft = (cover: Box) => cover.x1 + cover.x2 < width;
  const left = Math.max(0, ...covers.filter(isLeft).map((cover) => cover.x2));
  const right = Math.min(width, ...covers.filter((cover) => !isLeft(cover)).map((cover) => cover.x1));
  const bottom = Math.min(height, ...covers.map((cover) => cover.y1));
  const whole = viewportOf(graph, { x1: 0, y1: 0, x2: width, y2: height }, options);
  let best: Viewport | null = null;
  for (const keepsBottom of sides) {
    for (const keepsRight of sides) {
      for (const keepsLeft of sides) {
        const area = { x1: keepsLeft ? left : 0, y1: 0, x2: keepsRight ? right : width, y2: keepsBottom ? bottom : height };
        const next = viewportOf(graph, area, options);
        if ((best === null || next.zoom > best.zoom) && !nodes.some((node) => covers.some((cover) => overlap(rendered(node, next), cover))))
          best = next;
      }
    }
  }
  return best ?? whole;
}

function viewportOf(graph: Box, area: Box, { padding, minZoom, maxZoom }: Options): Viewport {
  const scale = (room: number, size: number) => Math.max(room - 2 * padding, 1) / Math.max(size, 1);
  const zoom = Math.max(
    minZoom,
    Math.min(maxZoom, scale(area.x2 - area.x1, graph.x2 - graph.x1), scale(area.y2 - area.y1, graph.y2 - graph.y1)),
  );
  return {
    zoom,
    pan: { x: (area.x1 + area.x2 - zoom * (graph.x1 + graph.x2)) / 2, y: (area.y1 + area.y2 - zoom * (graph.y1 + graph.y2)) / 2 },
  };
}

const rendered = ({ x1, y1, x2, y2 }: Box, { zoom, pan }: Viewport): Box => ({
  x1: x1 * zoom + pan.x,
  y1: y1 * zoom + pan.y,
  x2: x2 * zoom + pan.x,
  y2: y2 * zoom + pan.y,
});

const overlap = (a: Box, b: Box) => a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2;
