// @long
import { readFile } from 'node:fs/promises';
import type { Core } from 'cytoscape';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from './api';
import { findings } from './axe';
import { base, openAs, requestsOf } from './browser';

const canvas = (page: Page) => page.getByTestId('canvas');
const drawn = (page: Page): Promise<number> =>
  canvas(page)
    .evaluate((container) => (container as unknown as { _cyreg: { cy: Core } })._cyreg.cy.nodes().length)
    .catch(() => 0);
const selected = (page: Page): Promise<string[]> =>
  canvas(page).evaluate((container) =>
    (container as unknown as { _cyreg: { cy: Core } })._cyreg.cy.$('node:selected').map((node) => String(node.data('label'))),
  );
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

interface NodePosition {
  label: string;
  x: number;
  y: number;
}

/** The places of nodes on the screen, from left to right. */
async function positionsOf(page: Page): Promise<NodePosition[]> {
  const { x: left, y: top } = (await canvas(page).boundingBox())!;
  const positions = await canvas(page).evaluate((container) =>
    (container as unknown as { _cyreg: { cy: Core } })._cyreg.cy
      .nodes()
      .map((node) => ({ label: String(node.data('label')), ...node.renderedPosition() })),
  );
  return positions.map(({ label, x, y }) => ({ label, x: left + x, y: top + y })).sort((a, b) => a.x - b.x);
}

const shipCount = 70;
let hub = '';
const made: string[] = [];
beforeAll(async () => {
  const admin = await connect(base);
  const operations = [
    { op: 'create_node', ref: 'hub', type: 'Port', properties: { name: 'Oldport' } },
    ...[...Array(shipCount).keys()].flatMap((i) => [
      { op: 'create_node', ref: `ship${i}`, type: 'Ship', properties: { name: `Ship ${i}` } },
      { op: 'create_edge', type: 'CALLS_AT', source_id: { ref: `ship${i}` }, target_id: { ref: 'hub' } },
    ]),
    ...[0, 1].flatMap((i) => [
      { op: 'create_node', ref: `crane${i}`, type: 'Crane', properties: { name: `Crane ${i}` } },
      { op: 'create_edge', type: 'HAS', source_id: { ref: 'hub' }, target_id: { ref: `crane${i}` } },
    ]),
  ];
  const { results } = await admin<{ results: { id: string; op?: string }[] }>('POST', '/api/batch', { operations });
  hub = results[0]!.id;
  made.push(...results.flatMap(({ id }, i) => (operations[i]!.op === 'create_node' ? [id] : [])));
});
afterAll(async () => {
  const admin = await connect(base);
  await admin('POST', '/api/batch', { operations: made.map((id) => ({ op: 'delete_node', id, detach: true })) });
});

describe('the lasso', () => {
  test('selects the nodes that a line is drawn around; a box with Shift and Ctrl-A in the list do the same', async () => {
    const page = await openAs('viewer', '/explore?type=Film&view=graph');
    await expect.poll(() => drawn(page)).toBe(12);
    const positions = await positionsOf(page);
    // Those at the left, at least three; nodes without edges are in columns.
    const next = positions.find(({ x }) => x > positions[2]!.x + 4)!;
    const wanted = positions.filter(({ x }) => x < next.x);
    const box = {
      left: Math.min(...wanted.map((p) => p.x)) - 4,
      right: wanted.at(-1)!.x + (next.x - wanted.at(-1)!.x) / 2,
      top: Math.min(...wanted.map((p) => p.y)) - 4,
      bottom: Math.max(...wanted.map((p) => p.y)) + 4,
    };
    const inside = positions
      .filter(({ x, y }) => x > box.left && x < box.right && y > box.top && y < box.bottom)
      .map(({ label }) => label)
      .sort();
    const tool = page.getByRole('button', { name: 'Select with a lasso' });
    const draw = async (points: [number, number][]) => {
      await page.mouse.move(...points[0]!);
      await page.mouse.down();
      for (const point of points.slice(1)) await page.mouse.move(...point, { steps: 3 });
      await page.mouse.up();
    };
    const corners: [number, number][] = [
      [box.left, box.top],
      [box.right, box.top],
      [box.right, box.bottom],
      [box.left, box.bottom],
    ];
    await tool.click();
    await expect.poll(() => tool.getAttribute('aria-pressed')).toBe('true');
    expect(await findings(page)).toEqual([]);
    await draw(corners);
    await expect.poll(async () => (await selected(page)).sort()).toEqual(inside);
    expect(inside.length).toBeGreaterThanOrEqual(3);
    await expect.poll(() => tool.getAttribute('aria-pressed')).toBe('false');
    await page.getByText(`${inside.length} nodes selected`).waitFor();
    await expect.poll(() => page.getByRole('complementary', { name: 'Node' }).count()).toBe(0); // none is opened

    await tool.click();
    await page.keyboard.press('Escape');
    expect(await page.getByTestId('lasso').count()).toBe(0);
    await canvas(page).evaluate((container) => (container as unknown as { _cyreg: { cy: Core } })._cyreg.cy.$(':selected').unselect());
    await page.keyboard.down('Shift');
    await draw([corners[0]!, corners[2]!]);
    await page.keyboard.up('Shift');
    await expect.poll(() => selected(page)).toEqual(expect.arrayContaining(inside));

    await page.getByLabel('Find on the canvas').fill('the');
    await page.getByRole('listbox').focus();
    await page.keyboard.press('Control+a');
    await expect
      .poll(async () => (await selected(page)).sort())
      .toEqual(['The Cartographer', 'The Glass Orchard', 'The Long Way Round', 'The Quiet Harbour']);
    await page.getByRole('button', { name: 'Hide', exact: true }).press('Enter');
    await expect.poll(() => drawn(page)).toBe(8);
  });
});

describe('the neighbors of a hub', () => {
  test('that an expansion left out are a mark with their count, which adds them in portions', async () => {
    const page = await openAs('viewer', `/explore?type=Port&view=graph&start=${hub}`);
    await expect.poll(() => drawn(page)).toBe(1);
    const opening = await requestsOf(page, async () => {
      await page.getByRole('option', { name: /Oldport/ }).click();
      await page.getByText(`${shipCount + 2} edges`, { exact: true }).waitFor();
    });
    // Counted only because there are more than a page.
    expect(opening).toEqual([`GET /api/nodes/${hub}/edges`, `GET /api/nodes/${hub}/degree`]);
    await page.getByRole('button', { name: 'Expand', exact: true }).click();
    const cost = await requestsOf(page, async () => {
      await page.getByRole('menuitem', { name: /CALLS_AT/ }).click();
      await page.getByRole('option', { name: '45 more Ship' }).waitFor();
    });
    expect(cost).toEqual([`GET /api/nodes/${hub}/neighbors`, 'POST /api/edges/among']);
    await expect.poll(() => drawn(page)).toBe(27); // the hub, 25 ships and the mark
    const before = new Map((await positionsOf(page)).map(({ label, x, y }) => [label, { x, y }]));
    await page.getByRole('option', { name: '45 more Ship' }).click();
    // A mark opens no panel.
    await expect.poll(() => page.getByRole('complementary', { name: 'Node' }).getByRole('heading', { name: 'Oldport' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Show 25 more' }).click();
    await page.getByRole('option', { name: '20 more Ship' }).waitFor();
    await expect.poll(() => drawn(page)).toBe(52);
    expect(before.size).toBe(27);
    await page.getByRole('listbox').focus();
    await page.getByRole('option', { name: '20 more Ship' }).click();
    await page.getByRole('listbox').press('e');
    await expect.poll(() => drawn(page)).toBe(1 + shipCount);
    expect(await page.getByRole('option', { name: /more Ship/ }).count()).toBe(0);
    // A link reads the first expansion and the largest portion, not those between.
    const again = await page.context().newPage();
    const reads: string[] = [];
    again.on('request', (request) => request.url().includes('/neighbors') && reads.push(request.url()));
    await again.goto(page.url());
    await expect.poll(() => drawn(again)).toBe(1 + shipCount);
    expect(reads).toHaveLength(2);
    await page.getByRole('button', { name: 'Undo step' }).click();
    await page.getByRole('option', { name: '20 more Ship' }).waitFor();
  });

  test('are grouped into one mark for each kind, with the keyboard, and the address keeps it', async () => {
    const page = await openAs(
      'viewer',
      `/explore?type=Port&view=graph&start=${hub}&steps=${encodeURIComponent(JSON.stringify([['x', hub, 'both']]))}`,
    );
    await page.getByRole('option', { name: /^\d+ more Ship/ }).waitFor();
    await page.getByRole('option', { name: /Oldport/ }).click();
    await page.getByRole('listbox').press('g');
    await page.getByRole('option', { name: /^\d+ Ship/ }).waitFor();
    const marks = (await page.getByRole('option').allInnerTexts()).filter((text) => /^\d+ (more )?(Ship|Crane)/.test(text));
    expect(marks.join(' ')).toMatch(new RegExp(`${shipCount} Ship`));
    await expect.poll(() => drawn(page)).toBeLessThanOrEqual(4);
    await page.getByText(/nodes are in groups/).waitFor();
    expect(await findings(page)).toEqual([]);
    const grouped = await drawn(page);
    await page.reload();
    await expect.poll(() => drawn(page)).toBe(grouped);

    // The images have the marks and the legend; the data has the nodes.
    const svg = (await download(page, 'Image (SVG)')).toString();
    expect(svg).toContain(`>${shipCount} Ship</text>`);
    expect(svg).toContain('>CALLS_AT</text>');
    expect((await download(page, 'Nodes (CSV)')).toString()).toMatch(/Ship \d+/);

    await page.getByRole('option', { name: new RegExp(`^${shipCount} Ship`) }).click();
    await page.getByRole('button', { name: 'Ungroup' }).click();
    await page.getByRole('option', { name: /^\d+ more Ship/ }).waitFor();
    await expect.poll(() => drawn(page)).toBeGreaterThan(20);
    expect(JSON.parse(parameter(page, 'steps')!)).toContainEqual(['x', hub, 'both']);
  });
});

describe('the map', () => {
  test('is shown while a part of the graph is out of view, and moves the view', async () => {
    const page = await openAs('viewer', '/explore?type=Person&view=graph');
    await expect.poll(() => drawn(page)).toBe(26);
    const map = page.getByTestId('minimap');
    expect(await map.count()).toBe(0);
    for (let i = 0; i < 4; i++) await page.getByRole('button', { name: 'Zoom in' }).click();
    await map.waitFor();
    const middle = () =>
      canvas(page).evaluate((container) => {
        const { x1, x2 } = (container as unknown as { _cyreg: { cy: Core } })._cyreg.cy.extent();
        return (x1 + x2) / 2;
      });
    const before = await middle();
    const { x, y, width, height } = (await map.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width - 12, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await expect.poll(middle).toBeGreaterThan(before + 20);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Fit to view' }).click();
    await map.waitFor({ state: 'detached' });
  });
});

describe('an exported image', () => {
  test.each(['light', 'dark'] as const)('has the legend at its right, in %s colours', async (scheme) => {
    const page = await openAs('viewer', `/explore?type=Film&view=graph&style=${encodeURIComponent('{"nodeColour":"rating"}')}`, { scheme });
    await expect.poll(() => drawn(page)).toBe(12);
    const svg = (await download(page, 'Image (SVG)')).toString();
    expect(svg).toContain('>Color: rating</text>');
    expect(svg).toContain('linearGradient');
    expect(svg.match(/(<text[^>]*text-anchor="middle"[^>]*>[^<]*<\/text>)+/g)).toHaveLength(1); // nothing is drawn between the captions
    for (let i = 0; i < 4; i++) await page.getByRole('button', { name: 'Zoom in' }).click(); // until most films are out of view
    const captions = (await download(page, 'Image (SVG)')).toString().match(/text-anchor="middle"/g);
    expect(captions).toHaveLength(12);
    const png = await download(page, 'Image (PNG)');
    // The width and the height stand after the signature and the header of the first chunk.
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    const graph = await canvas(page).evaluate(
      (container) => (container as unknown as { _cyreg: { cy: Core } })._cyreg.cy.elements().boundingBox({}).w,
    );
    expect(width).toBeGreaterThan(2 * graph + 2 * 220);
    // Something is drawn where the legend is.
    const colours = await page.evaluate(
      async ({ data, at }) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const board = document.createElement('canvas');
        [board.width, board.height] = [image.width, image.height];
        const context = board.getContext('2d')!;
        context.drawImage(image, 0, 0);
        const pixels = context.getImageData(at, 0, image.width - at, Math.min(400, image.height)).data;
        const found = new Set<number>();
        for (let i = 0; i < pixels.length; i += 4) found.add((pixels[i]! << 16) + (pixels[i + 1]! << 8) + pixels[i + 2]!);
        return found.size;
      },
      { data: png.toString('base64'), at: width - 440 },
    );
    expect(height).toBeGreaterThan(100);
    expect(colours).toBeGreaterThan(30);
  });
});

test('the arrows of an exported image have the colours of their edges', async () => {
  const page = await openAs('viewer', `/explore?kind=edge&type=ACTED_IN&view=graph&style=${encodeURIComponent('{"edgeColour":"role"}')}`);
  await expect.poll(() => drawn(page)).toBeGreaterThan(10);
  const svg = (await download(page, 'Image (SVG)')).toString();
  expect(svg.match(/<marker /g)).toHaveLength(5); // five roles
});

async function download(page: Page, item: string): Promise<Buffer> {
  await page.getByRole('button', { name: 'Export', exact: true }).last().click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).click()]);
  return readFile(await file.path());
}
