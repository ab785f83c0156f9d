// @long
// What is seen of a drawing: nodes and captions that do not cover each other, on most of the canvas.
import type { Core, NodeSingular } from 'cytoscape';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect, cypher, waitForCount } from './api';
import { onScreens } from './axe';
import { base, openAs, sample } from './browser';

interface Seen {
  nodes: number;
  /** Pairs of nodes, and of captions, that overlap. */
  coveredNodes: number;
  coveredCaptions: number;
  captions: string[];
  edgeCaptions: number;
  /** The share of a grid of 40 pixels on the canvas that has a node. */
  used: number;
  /** The width of all nodes by their height. */
  ratio: number;
}

function see(page: Page): Promise<Seen> {
  return page.getByTestId('canvas').evaluate((container) => {
    const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
    type Box = { x1: number; y1: number; x2: number; y2: number };
    const overlapping = (boxes: Box[]) => {
      let n = 0;
      for (const [i, a] of boxes.entries())
        for (const b of boxes.slice(i + 1)) if (a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2) n++;
      return n;
    };
    // A caption is the part of a box that only the label adds; 1 pixel is left for rounding.
    const captions = cy.nodes('.captioned').map((node) => {
      const whole = node.renderedBoundingBox({ includeNodes: false, includeLabels: true, includeOverlays: false });
      return { x1: whole.x1 + 6, y1: whole.y1 + 3, x2: whole.x2 - 6, y2: whole.y2 - 3 };
    });
    const nodes = cy.nodes().map((node) => {
      const { x, y } = node.renderedPosition();
      const r = (node.width() / 2) * cy.zoom() * 0.7; // the square within the circle
      return { x1: x - r, y1: y - r, x2: x + r, y2: y + r };
    });
    const box = cy.nodes().renderedBoundingBox({ includeLabels: false });
    const tiles = new Set(nodes.map(({ x1, y1, x2, y2 }) => `${Math.floor((x1 + x2) / 80)} ${Math.floor((y1 + y2) / 80)}`));
    return {
      nodes: nodes.length,
      coveredNodes: overlapping(nodes),
      coveredCaptions: overlapping(captions),
      captions: cy.nodes('.captioned').map((node) => String(node.data('label'))),
      edgeCaptions: cy.edges('.captioned').length,
      used: tiles.size / Math.max(1, (box.w / 40) * (box.h / 40)),
      ratio: box.w / box.h,
    };
  });
}

/** The number of nodes and where they are. */
const placesOf = (page: Page) =>
  page.getByTestId('canvas').evaluate((container) => {
    const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
    return [cy.nodes().length, ...cy.nodes().map((node) => Math.round(node.renderedPosition().x))];
  });

/** Waits until the drawing stands still. */
async function seeWhenStill(page: Page, nodes: number, timeout = 60_000): Promise<Seen> {
  let before = '';
  await expect
    .poll(
      async () => {
        const now = await placesOf(page).catch(() => []);
        const same = JSON.stringify(now) === before && now[0] === nodes;
        before = JSON.stringify(now);
        return same;
      },
      { timeout },
    )
    .toBe(true);
  return see(page);
}

const studios = 12;
const edges = 700;
beforeAll(async () => {
  await cypher(
    `UNWIND range(0, ${studios - 1}) AS s CREATE (:DrawnHub {name: 'Hub ' + s})
     WITH collect(1) AS done UNWIND range(1, ${edges}) AS i
     MATCH (hub:DrawnHub {name: 'Hub ' + (i % ${studios})})
     CREATE (:DrawnLeaf {name: 'Leaf ' + i})-[:DRAWN_AT]->(hub)`,
  );
  await waitForCount(base, 'edges', 'DRAWN_AT', edges);
});
afterAll(async () => {
  await cypher('MATCH (n) WHERE n:DrawnHub OR n:DrawnLeaf DETACH DELETE n');
});

describe('a drawing', () => {
  test('of 712 nodes in a fresh tab uses the canvas, and its hubs have their names', async () => {
    const page = await openAs('viewer', `/explore?kind=edge&type=DRAWN_AT&view=graph&rows=${edges}`);
    const seen = await seeWhenStill(page, edges + studios);
    expect(seen).toMatchObject({ coveredNodes: 0, coveredCaptions: 0, edgeCaptions: 0 });
    for (let hub = 0; hub < studios; hub++) expect(seen.captions).toContain(`Hub ${hub}`);
    expect(seen.used).toBeGreaterThan(0.3);
  });

  test('gives a selected node its caption among many', async () => {
    const page = await openAs('viewer', `/explore?kind=edge&type=DRAWN_AT&view=graph&rows=${edges}`);
    await seeWhenStill(page, edges + studios);
    const at = await page.getByTestId('canvas').evaluate((container) => {
      const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
      const { x, y } = (cy.nodes('[label = "Leaf 333"]').first() as unknown as NodeSingular).renderedPosition();
      const { left, top } = container.getBoundingClientRect();
      return { x: left + x, y: top + y };
    });
    await page.mouse.click(at.x, at.y);
    await expect.poll(async () => (await see(page)).captions).toContain('Leaf 333');
    expect((await see(page)).coveredCaptions).toBe(0);
  });

  test('from a node that is gone says so', async () => {
    const page = await openAs('viewer', '/explore?type=Film&view=graph&start=gone');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
  });

  test('of a list keeps more rows apart when they are loaded', async () => {
    const page = await openAs('viewer', '/explore?type=DrawnLeaf&view=graph');
    await seeWhenStill(page, 100);
    await page.getByRole('button', { name: 'Load more' }).click();
    const seen = await seeWhenStill(page, 600);
    expect(seen).toMatchObject({ coveredNodes: 0, coveredCaptions: 0 });
  });

  test('says that an added list is longer than what is shown of it', async () => {
    const page = await openAs('viewer', `/explore?type=Film&view=graph&start=${sample.films[0]}`);
    await seeWhenStill(page, 1);
    await page.goto(`${base}/explore?type=DrawnLeaf`);
    await page.getByRole('button', { name: 'Go on with this list' }).click();
    await page.getByRole('menuitem', { name: 'Add to canvas' }).click();
    await page.getByText('the first 500 rows are shown').waitFor();
    expect((await seeWhenStill(page, 501)).coveredNodes).toBe(0);
  });

  test.each(['light', 'dark'] as const)(
    'has colours with a contrast of 3:1, and other shapes for other types, in %s colours',
    async (scheme) => {
      const page = await openAs('viewer', '/explore?kind=edge&type=ACTED_IN&view=graph', { scheme });
      await expect
        .poll(() =>
          see(page).then(
            (seen) => seen.nodes,
            () => 0,
          ),
        )
        .toBeGreaterThan(10);
      const types = await page.getByTestId('canvas').evaluate((container) => {
        const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
        let behind: Element | null = container;
        while (behind && getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
        const background = getComputedStyle(behind ?? document.body).backgroundColor;
        const light = (rgb: string) => {
          const [r, g, b] = rgb
            .match(/\d+/g)!
            .slice(0, 3)
            .map((n) => {
              const c = Number(n) / 255;
              return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
            });
          return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
        };
        const contrast = (a: string, b: string) => {
          const [x, y] = [light(a), light(b)].sort((m, n) => n - m);
          return (x! + 0.05) / (y! + 0.05);
        };
        const styles = new Map(
          cy.nodes().map((node) => [
            String(node.data('type')),
            {
              contrast: contrast(String(node.style('background-color')), background),
              colour: String(node.style('background-color')),
              shape: String(node.data('corners') ?? 'circle'),
            },
          ]),
        );
        return [...styles.values()];
      });
      expect(types.length).toBeGreaterThan(1);
      for (const { contrast } of types) expect(contrast).toBeGreaterThan(3);
      expect(new Set(types.map(({ colour }) => colour)).size).toBe(types.length);
      expect(new Set(types.map(({ shape }) => shape)).size).toBe(types.length);
    },
  );

  describe('of 2,000 elements', () => {
    const firms = 30;
    const staff = 970;
    beforeAll(async () => {
      await cypher(
        `UNWIND range(1, ${firms}) AS f CREATE (:DrawnFirm {name: 'Firm ' + f})
         WITH collect(1) AS done UNWIND range(1, ${staff}) AS i
         MATCH (firm:DrawnFirm {name: 'Firm ' + (1 + toInteger(i * i / 7) % ${firms})})
         CREATE (:DrawnPerson {name: 'Person ' + i})-[:DRAWN_WORKS]->(firm)`,
      );
      await cypher(
        `UNWIND range(1, ${firms}) AS f MATCH (a:DrawnFirm {name: 'Firm ' + f}), (b:DrawnFirm {name: 'Firm ' + (1 + f * 7 % ${firms})})
         CREATE (a)-[:DRAWN_WORKS]->(b)`,
      );
      await waitForCount(base, 'edges', 'DRAWN_WORKS', staff + firms);
    });
    afterAll(async () => {
      await cypher('MATCH (n) WHERE n:DrawnFirm OR n:DrawnPerson DETACH DELETE n');
    });

    test.each(['light', 'dark'] as const)(
      'is readable on usual screens, in %s colours and each layout',
      { timeout: 300_000 },
      async (scheme) => {
        const page = await openAs('viewer', `/explore?kind=edge&type=DRAWN_WORKS&view=graph&rows=${staff + firms}`, { scheme });
        const shape = async () => {
          const seen = await seeWhenStill(page, staff + firms, 110_000);
          expect(seen).toMatchObject({ coveredNodes: 0, coveredCaptions: 0 });
          expect(seen.ratio).toBeGreaterThan(0.7);
          expect(seen.ratio).toBeLessThan(3.5);
        };
        await shape();
        await onScreens(page, `canvas-large-${scheme}`);
        for (const layout of ['Hierarchical', 'Radial']) {
          await page.getByRole('button', { name: 'Choose a layout' }).click();
          await page.getByRole('menuitem', { name: layout }).click();
          await shape();
          await onScreens(page, `canvas-${layout.toLowerCase()}-${scheme}`);
        }
      },
    );
  });

  test('tells parallel edges and loops apart', async () => {
    await cypher(
      `CREATE (a:DrawnTwin {name: 'Twin 1'}), (b:DrawnTwin {name: 'Twin 2'})
       CREATE (a)-[:DRAWN_TWICE]->(b), (a)-[:DRAWN_TWICE]->(b), (b)-[:DRAWN_TWICE]->(a), (a)-[:DRAWN_TWICE]->(a), (a)-[:DRAWN_TWICE]->(a)`,
    );
    await waitForCount(base, 'edges', 'DRAWN_TWICE', 5);
    const page = await openAs('viewer', '/explore?kind=edge&type=DRAWN_TWICE&view=graph');
    await seeWhenStill(page, 2);
    if (process.env['UPDATE_IMAGES']) await onScreens(page, 'canvas-parallel-light');
    const middles = await page.getByTestId('canvas').evaluate((container) => {
      const { cy } = (container as unknown as { _cyreg: { cy: Core } })._cyreg;
      return cy.edges().map((edge) => edge.renderedMidpoint());
    });
    const distances = middles.flatMap((a, i) => middles.slice(i + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y)));
    expect(distances).toHaveLength(10);
    expect(Math.min(...distances)).toBeGreaterThan(8);
    await cypher('MATCH (n:DrawnTwin) DETACH DELETE n');
  });

  test('of a saved view is as it was saved in a tab that has not opened it', async () => {
    const admin = await connect(base);
    const page = await openAs('admin', '/explore?type=DrawnLeaf&view=graph');
    await seeWhenStill(page, 100);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: /^Save/ }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Drawn leaves');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('saved')).not.toBeNull();
    const address = page.url().slice(base.length);
    const positions = (of: Page) =>
      of
        .getByTestId('canvas')
        .evaluate((container) =>
          (container as unknown as { _cyreg: { cy: Core } })._cyreg.cy
            .nodes()
            .map((node) => [node.id(), Math.round(node.position('x')), Math.round(node.position('y'))]),
        );
    const before = await positions(page);
    const fresh = await openAs('admin', address);
    await seeWhenStill(fresh, 100);
    expect(new Map((await positions(fresh)).map(([id, ...at]) => [id, at]))).toEqual(new Map(before.map(([id, ...at]) => [id, at])));
    expect(await fresh.getByRole('button', { name: /changed/i }).count()).toBe(0);
    for (const view of await admin<{ id: string; name: string }[]>('GET', '/api/views'))
      if (view.name === 'Drawn leaves') await admin('DELETE', `/api/views/${view.id}`);
  });
});
