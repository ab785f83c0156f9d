import { expect, test } from 'vitest';
import { fitBeside, type Box } from './fit';

const canvas = { width: 900, height: 600, padding: 40, minZoom: 0.1, maxZoom: 1.4 };
const legend: Box = { x1: 10, y1: 450, x2: 130, y2: 590 };
const tools: Box = { x1: 850, y1: 400, x2: 890, y2: 590 };
const at = (x: number, y: number): Box => ({ x1: x - 15, y1: y - 15, x2: x + 15, y2: y + 15 });
const around = (nodes: Box[]): Box => ({
  x1: Math.min(...nodes.map((n) => n.x1)),
  y1: Math.min(...nodes.map((n) => n.y1)),
  x2: Math.max(...nodes.map((n) => n.x2)),
  y2: Math.max(...nodes.map((n) => n.y2)),
});

/** The nodes as they are drawn. */
function drawn(nodes: Box[], covers: Box[]) {
  const { zoom, pan } = fitBeside(around(nodes), nodes, { ...canvas, covers });
  return {
    zoom,
    pan,
    boxes: nodes.map((n) => ({ x1: n.x1 * zoom + pan.x, y1: n.y1 * zoom + pan.y, x2: n.x2 * zoom + pan.x, y2: n.y2 * zoom + pan.y })),
  };
}

test('a graph whose corners are free takes the whole canvas', () => {
  const nodes = [at(0, -300), at(450, 0), at(-450, 0), at(0, 300)];
  expect(drawn(nodes, [legend, tools])).toEqual(drawn(nodes, []));
});

test.each([
  ['wide', [at(0, 0), at(1600, 0), at(0, 300), at(1600, 300)]],
  ['high', [at(0, 0), at(300, 0), at(0, 1600), at(300, 1600)]],
  ['square', [at(0, 0), at(1000, 0), at(0, 1000), at(1000, 1000)]],
  ['full', [at(0, 0), at(900, 0), at(0, 600), at(900, 600)]],
])('no node of a %s graph is below the legend or the tools, and all are in view', (_, nodes) => {
  const { boxes } = drawn(nodes, [legend, tools]);
  for (const box of boxes) {
    for (const cover of [legend, tools])
      expect(box.x1 >= cover.x2 || box.x2 <= cover.x1 || box.y1 >= cover.y2 || box.y2 <= cover.y1).toBe(true);
    expect(box.x1 >= 0 && box.y1 >= 0 && box.x2 <= canvas.width && box.y2 <= canvas.height).toBe(true);
  }
});

test('covers that leave no room are ignored', () => {
  const nodes = [at(0, 0), at(900, 600)];
  const all: Box = { x1: 0, y1: 0, x2: 900, y2: 600 };
  expect(drawn(nodes, [all])).toEqual(drawn(nodes, []));
});
