// Measures for docs/web-interface.md: MEASURE=1, run by make measure-webui. Nothing is checked, because machines differ.
import type { Core } from 'cytoscape';
import type { Page } from 'playwright-core';
import { afterAll, test } from 'vitest';
import { base, openAs, requestsOf, sample } from './browser';
import { waitForCount, connect, cypher, userPassword } from './api';

const lines: string[] = [];
const addRow = (visit: string, value: string) => lines.push(`| ${visit} | ${value} |`);

interface FrameRate {
  frames: number; // per second
  slowPercent: number; // the percentage of frames that took over 50 ms
}

/** Scrolls a table to the last of its rows as fast as pages load, by so many a frame, and measures the frame rate. */
async function scrollThrough(page: Page, rows: number, step = 40): Promise<FrameRate> {
  return page.evaluate(
    async ({ all, step }) => {
      const grid = document.querySelector<HTMLElement>('[role=grid]')!;
      const times: number[] = [];
      const height = grid.querySelectorAll('[role=row]')[1]!.getBoundingClientRect().height;
      let [before, moved] = [performance.now(), performance.now()];
      while (grid.scrollTop + grid.clientHeight < all * height) {
        const from = grid.scrollTop;
        grid.scrollTop += step * height;
        if (grid.scrollTop > from) moved = before;
        if (before - moved > 20_000) throw new Error(`stands at ${from + grid.clientHeight} px of ${all} rows of ${height} px`);
        const now = await new Promise<number>((next) => requestAnimationFrame(next));
        times.push(now - before);
        before = now;
      }
      times.shift();
      return {
        frames: (1000 * times.length) / times.reduce((a, b) => a + b, 0),
        slowPercent: (100 * times.filter((t) => t > 50).length) / times.length,
      };
    },
    { all: rows, step },
  );
}

const rateOf = ({ frames, slowPercent }: FrameRate) =>
  `${Math.round(frames)} frames a second, ${slowPercent.toFixed(1)} % of them over 50 ms`;

/**
 * Opens an address. The time is that of the frame in which an element has the text, by the page's clock: Playwright polls only every half
 * second.
 */
async function measureLink(page: Page, what: string, path: string, selector: string, text: RegExp) {
  let ms = 0;
  const cost = await requestsOf(page, async () => {
    await page.goto(base + path, { waitUntil: 'commit' });
    ms = await page.evaluate(
      ({ selector, source }) =>
        new Promise<number>((done) => {
          const checkText = () =>
            [...document.querySelectorAll(selector)].some((e) => new RegExp(source).test(e.textContent))
              ? done(Math.round(performance.now()))
              : requestAnimationFrame(checkText);
          checkText();
        }),
      { selector, source: text.source },
    );
  });
  addRow(what, `${ms} ms, ${cost.length} requests`);
}

/** Saves a view of an address; positions are those of the canvas. Returns the path that opens it. */
async function saveView(user: string, name: string, page: string, address: string, nodes?: [string, number, number][]): Promise<string> {
  const { id } = await (
    await connect(base, user)
  )<{ id: string }>('POST', '/api/views', { name, page, state: { version: 1, address, ...(nodes ? { nodes } : {}) } });
  return `/views/${id}`;
}

async function measureLongTable() {
  // The first node is created through the service, so that the type's ids are indexed.
  await (
    await connect(base)
  )('POST', '/api/nodes', { type: 'Reading', properties: { n: 0 } });
  await cypher(
    `UNWIND range(1, 99999) AS i
     CALL (i) {
       CREATE (:Reading {
         uuid: '01900000-0000-7000-8000-' + right('00000000000' + i, 12), n: i, at: date('2026-01-01'),
         value: i / 7.0, sensor: 'sensor ' + (i % 97), note: 'reading ' + i, good: i % 3 = 0
       })
     } IN TRANSACTIONS OF 10000 ROWS`,
  );
  await waitForCount(base, 'nodes', 'Reading', 100_000);
  const page = await openAs('viewer', '/explore?type=Reading');
  await page
    .getByRole('row', { name: /2026-01-01/ })
    .first()
    .waitFor();
  let frameRate: FrameRate = { frames: 0, slowPercent: 0 };
  const cost = await requestsOf(page, async () => {
    frameRate = await scrollThrough(page, 100_000);
  });
  addRow('scrolling through a table of 100,000 rows, 40 rows a frame', `${rateOf(frameRate)}, ${cost.length} requests`);
  await cypher('MATCH (n:Reading) CALL (n) { DELETE n } IN TRANSACTIONS');
}

async function measureAnswer() {
  const admin = await connect(base);
  const cypher = "UNWIND range(1, 10000) AS i RETURN i, 'reading ' + i AS note, i / 7.0 AS value, date('2026-01-01') AS at";
  await admin('POST', '/api/admin/queries', { name: 'readings', cypher, max_rows: 10_000 });
  await admin('POST', '/api/admin/users', { username: 'asker', password: userPassword, permissions: ['query'] });
  const page = await openAs('asker', '/queries');
  await page.getByRole('link', { name: /readings/ }).click();
  await page.getByRole('button', { name: 'Run' }).click();
  const rows = page.getByRole('grid', { name: 'Rows' });
  await rows.getByText('reading 12', { exact: true }).waitFor();
  addRow('scrolling through 1,000 rows of an answer, 4 rows a frame', rateOf(await scrollThrough(page, 1000, 4)));
  addRow('scrolling through 10,000 rows of an answer, 40 rows a frame', rateOf(await scrollThrough(page, 10_000)));
  await rows.getByText('reading 10000', { exact: true }).waitFor();
}

const measured = test.runIf(process.env['MEASURE'] === '1');

afterAll(() => console.log(`\n| what | |\n|---|---|\n${lines.join('\n')}\n`));

measured('scrolling through a long table', { timeout: 900_000 }, measureLongTable);
measured('scrolling through an answer', { timeout: 120_000 }, measureAnswer);
measured('visits and the canvas', { timeout: 480_000 }, async () => {
  const page = await openAs('viewer', '/explore?type=Film');
  await page.getByRole('row', { name: /Glass/ }).waitFor();
  for (const what of ['first visit', 'later visit']) {
    if (what === 'first visit') await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache');
    const opening = await requestsOf(page, async () => {
      await page.reload();
      await page.getByRole('row', { name: /Glass/ }).waitFor();
    });
    const ms = await page.evaluate(() => Math.round(performance.now()));
    addRow(`${what}: rows are there and take clicks`, `${ms} ms, ${opening.length} requests`);
  }
  const paging = await requestsOf(page, async () => {
    await page.getByRole('link', { name: /^Person/ }).click();
    await page.getByRole('grid', { name: 'Person nodes' }).getByRole('row', { name: /Ada/ }).waitFor();
  });
  addRow('a page of a table', `${paging.length} request`);
  const opened = await requestsOf(page, async () => {
    await page.getByRole('row', { name: /Ada/ }).click();
    await page
      .getByText(/\d edges/)
      .first()
      .waitFor();
  });
  addRow('opening a node of a list with its edges', opened.length === 1 ? '1 request' : `${opened.length} requests`);
  const table = await saveView(
    'viewer',
    'measured table',
    'nodes',
    'type=Film&filter[rating][gte]=7.5&sort=-rating&columns=p:title,p:rating,id',
  );
  await measureLink(page, 'a saved view of a table by its link', table, '[role=row]', /Glass/);
  await page.goto(`${base}/explore?type=Film&view=graph&open=node:${sample.films[0]}`);
  await page.getByRole('option', { name: /Quiet Harbour/ }).click();
  await page.getByText('8 edges').waitFor();
  const expansion = await requestsOf(page, async () => {
    await page.getByRole('button', { name: 'Expand' }).click();
    await page.getByRole('menuitem', { name: /^All/ }).click();
    await page.getByRole('option', { name: /Lisbon/ }).waitFor();
  });
  addRow('an expansion with its counts', `${expansion.length} requests`);

  await cypher('UNWIND range(1, 1000) AS i CREATE (:Mesh {name: toString(i)})');
  await cypher('MATCH (a:Mesh), (b:Mesh) WHERE toInteger(b.name) = (toInteger(a.name) * 7 + 1) % 1000 + 1 CREATE (a)-[:NEXT]->(b)');
  await waitForCount(base, 'edges', 'NEXT', 1000);
  await page.goto(`${base}/explore?type=Mesh&view=graph`);
  for (const count of [600, 1000]) {
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText(new RegExp(`^${count.toLocaleString('en')} nodes, [^l]*$`)).waitFor({ timeout: 60_000 });
  }
  addRow('on the canvas', (await page.getByText(/1,000 nodes, /).textContent()) ?? '');
  const ids = await page
    .getByTestId('canvas')
    .evaluate((container) =>
      (container as unknown as { _cyreg: { cy: Core } })._cyreg.cy
        .nodes()
        .map((node): [string, number, number] => [node.id(), Math.round(node.position().x), Math.round(node.position().y)]),
    );
  for (const count of [100, 1000]) {
    const path = await saveView(
      'viewer',
      `measured canvas of ${count}`,
      'nodes',
      `type=Mesh&view=graph&rows=${count}`,
      ids.slice(0, count),
    );
    const loaded = new RegExp(`^${count.toLocaleString('en')} nodes, [\\d,]+ edges$`);
    await measureLink(
      page,
      `a saved view of a canvas of ${count.toLocaleString('en')} nodes by its link`,
      path,
      'p, span, div, output',
      loaded,
    );
  }
  const canvas = page.getByTestId('canvas');
  const box = (await canvas.boundingBox())!;
  const frames = page.evaluate(
    () =>
      new Promise<number>((done) => {
        const began = performance.now();
        let n = 0;
        const frame = (now: number) => (now - began < 3000 ? (n++, requestAnimationFrame(frame)) : done(n / 3));
        requestAnimationFrame(frame);
      }),
  );
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down();
  for (let i = 0; i < 60; i++) await page.mouse.move(box.x + 20 + i * 5, box.y + 20 + (i % 20) * 8);
  await page.mouse.up();
  for (let i = 0; i < 20; i++) await page.mouse.wheel(0, i % 2 ? 120 : -120);
  addRow('panning and zooming it, without a graphics card', `${Math.round(await frames)} frames a second`);
  await cypher('MATCH (n:Mesh) DETACH DELETE n');
});
