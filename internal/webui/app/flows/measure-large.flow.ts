// Measures on a large graph for docs/web-interface.md: MEASURE=large, run by make measure-webui-large. Nothing is checked, because machines
// differ. A time is from the key or the click until the result is on the page.
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { connect, userPassword, type Call } from './api';
import { base, openContext, requestsOf } from './browser';

const rounds = 5;
const steps = new Map<string, { times: number[]; requests: number }>();

async function measure(page: Page, name: string, action: () => Promise<void>) {
  let ms = 0;
  const requests = await requestsOf(page, async () => {
    const began = performance.now();
    await action();
    ms = performance.now() - began;
  });
  const step = steps.get(name) ?? { times: [], requests: 0 };
  step.times.push(ms);
  step.requests = requests.length;
  steps.set(name, step);
}

interface Graph {
  /** The largest type of nodes and of edges. */
  nodes: string;
  edges: string;
  /** The id of the node with the most edges, and how many it has. */
  hub: string;
  degree: number;
}

/** The graph of graphrest-bench: its hub has the code HUB, and an index on code is created for sorting and filtering. */
async function prepare(admin: Call): Promise<Graph> {
  const largest = async (kind: 'nodes' | 'edges') =>
    (await admin<{ type: string; count: number }[]>('GET', `/api/schema/${kind}`)).reduce((a, b) => (b.count > a.count ? b : a)).type;
  const [nodes, edges] = [await largest('nodes'), await largest('edges')];
  const index = { name: 'measured_code', entity: 'node', kind: 'range', type: nodes, properties: ['code'] };
  while ((await admin<{ state: string }>('POST', '/api/admin/indexes', index)).state.toLowerCase() !== 'online')
    await new Promise((next) => setTimeout(next, 500));
  // The properties of types are read in the background after the start.
  while (
    (await admin<{ type: string; properties: unknown[] }[]>('GET', '/api/schema/nodes')).some(
      (t) => t.type === nodes && t.properties.length === 0,
    )
  )
    await new Promise((next) => setTimeout(next, 500));
  const [hub] = await admin<{ id: string }[]>('GET', `/api/nodes?type=${nodes}&filter[code]=HUB`);
  if (!hub) throw new Error('there is no hub; run the measurement with make measure-webui-large');
  return {
    nodes,
    edges,
    hub: hub.id,
    degree: (await admin<{ total: number }>('GET', `/api/nodes/${encodeURIComponent(hub.id)}/degree`)).total,
  };
}

const firstRow = (page: Page, list: string) => page.getByRole('grid', { name: list }).getByRole('row').nth(1);
const canvasLoaded = (page: Page) => page.getByText(/^[\d,]+ nodes?, [\d,]+ edges?$/).waitFor();

async function measureRound({ nodes, edges, hub }: Graph) {
  const page = await (await openContext()).newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(base);
  await page.getByLabel('User name').fill('viewer');
  await page.getByLabel('Password', { exact: true }).fill(userPassword);
  await measure(page, 'log-in to the types of the first page', async () => {
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('link', { name: new RegExp(`^${nodes}`) }).waitFor();
  });
  await measure(page, 'first rows of the largest type of nodes', async () => {
    await page.getByRole('link', { name: new RegExp(`^${nodes}`) }).click();
    await firstRow(page, `${nodes} nodes`).waitFor();
  });
  await firstRow(page, `${nodes} nodes`).focus();
  await measure(page, 'next page, of 500 rows', async () => {
    await page.keyboard.press('End');
    await page.getByText(/^600 of/).waitFor();
  });
  await measure(page, 'sort by a property with an index', async () => {
    await page.getByRole('button', { name: 'code', exact: true }).click();
    await page.getByText(/^100 of/).waitFor();
  });
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Property').selectOption('code');
  await page.getByLabel('Condition').selectOption('eq');
  await page.getByRole('textbox', { name: 'Value' }).fill('HUB');
  await measure(page, 'filter by a property with an index', async () => {
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(/^1 total/).waitFor();
  });
  await page.getByRole('button', { name: /^Remove filter/ }).click();
  await page.getByText(/^100 of/).waitFor();
  await measure(page, 'opening a node of a list with its edges', async () => {
    await page.getByRole('row').nth(12).getByRole('gridcell').nth(1).click();
    await page
      .getByRole('complementary', { name: 'Node' })
      .getByText(/^[\d,]+ edges?$/)
      .waitFor();
  });
  await page.keyboard.press('Escape');
  await measure(page, 'first rows of the largest type of edges, with the names of their ends', async () => {
    await page.getByRole('link', { name: new RegExp(`^${edges}`) }).click();
    await firstRow(page, `${edges} edges`).waitFor();
  });
  await page.goto(`${base}/explore?type=${nodes}&view=graph&start=${encodeURIComponent(hub)}`);
  await page.getByText(/^1 node, /).waitFor();
  await measure(page, 'opening the hub with the first of its edges', async () => {
    await page.getByRole('option').first().click();
    await page.getByRole('complementary', { name: 'Node' }).getByRole('region', { name: 'Edges' }).getByRole('listitem').first().waitFor();
  });
  await measure(page, 'the number of the edges of the hub, after the first of them', async () => {
    await page
      .getByRole('complementary', { name: 'Node' })
      .getByText(/^[\d,]+ edges$/)
      .waitFor();
  });
  await measure(page, 'expansion of the hub: its counts by type', async () => {
    await page.getByRole('button', { name: 'Expand' }).click();
    await page.getByRole('menuitem', { name: /^All/ }).waitFor();
  });
  await measure(page, 'expansion of the hub: 25 neighbors, and a mark for each large group of the others', async () => {
    await page.getByRole('menuitem', { name: /^All/ }).click();
    await page
      .getByRole('option', { name: / more in / })
      .or(page.getByRole('option').nth(25))
      .first()
      .waitFor();
    await canvasLoaded(page);
  });
  for (const [what, path] of await savedViews(nodes)) {
    await measure(page, `a saved view of a ${what}, by its link`, async () => {
      await page.goto(base + path);
      await (what === 'table' ? firstRow(page, `${nodes} nodes`).waitFor() : canvasLoaded(page));
    });
  }
  await page.context().close();
}

/** Saves a filtered table and a canvas of the type, once. Returns the paths that open them. */
async function savedViews(nodes: string): Promise<[what: 'table' | 'canvas', path: string][]> {
  const call = await connect(base, 'viewer');
  const known = await call<{ id: string; name: string }[]>('GET', '/api/views');
  const addresses = { table: 'filter[code][gte]=A&sort=code&columns=p:code,id', canvas: 'view=graph' };
  const paths: [what: 'table' | 'canvas', path: string][] = [];
  for (const what of ['table', 'canvas'] as const) {
    const name = `measured ${what}`;
    const state = { version: 1, address: `type=${encodeURIComponent(nodes)}&${addresses[what]}` };
    const { id } =
      known.find((each) => each.name === name) ?? (await call<{ id: string }>('POST', '/api/views', { name, page: 'nodes', state }));
    paths.push([what, `/views/${id}`]);
  }
  return paths;
}

// How far the table is read.
const deepest = 400_000;

/**
 * Reads the largest type of nodes with the key End until many rows are loaded, and goes to the first one and back. Returns what it took.
 */
async function measureDepth({ nodes }: Graph): Promise<string> {
  const page = await (await openContext()).newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(base);
  await page.getByLabel('User name').fill('viewer');
  await page.getByLabel('Password', { exact: true }).fill(userPassword);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('link', { name: new RegExp(`^${nodes}`) }).click();
  await firstRow(page, `${nodes} nodes`).focus();
  const times: number[] = [];
  let rows = 100;
  while (rows < deepest) {
    const began = performance.now();
    await page.keyboard.press('End');
    const more = page.getByText(new RegExp(`^(?!${rows.toLocaleString('en')} )[\\d,]+ of`));
    await more.waitFor();
    times.push(performance.now() - began);
    rows = Number((await more.textContent())!.split(' ')[0]!.replaceAll(',', ''));
  }
  const jump = async (key: string, row: number) => {
    const began = performance.now();
    await page.keyboard.press(key);
    await page.locator(`[aria-rowindex="${row}"]`).waitFor();
    return performance.now() - began;
  };
  const [up, down] = [await jump('Home', 2), await jump('End', rows + 1)];
  const heap = await page.evaluate(
    () => (performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize / 2 ** 20,
  );
  await page.context().close();
  const sorted = times.toSorted((a, b) => a - b);
  const ms = (n: number) => `${Math.round(n)} ms`;
  return (
    `${rows.toLocaleString('en')} rows by ${times.length} times End: ` +
    `median ${ms(sorted[sorted.length >> 1]!)}, longest ${ms(sorted.at(-1)!)}; ` +
    `to the first row ${ms(up)}, and back ${ms(down)}; ${Math.round(heap)} MiB of JavaScript objects.`
  );
}

test.runIf(process.env['MEASURE'] === 'large')('measures on a large graph', { timeout: 900_000 }, async () => {
  const admin = await connect(base);
  const graph = await prepare(admin);
  for (let round = 0; round < rounds; round++) await measureRound(graph);
  const count = new Intl.NumberFormat('en');
  const ms = (n: number) => `${count.format(Math.round(n))} ms`;
  const lines = [...steps].map(
    ([name, { times, requests }]) =>
      `| ${name} | ${ms(times[0]!)} | ${ms(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!)} | ${requests} |`,
  );
  const depth = await measureDepth(graph);
  console.log(
    `\n${depth}\nThe hub has ${count.format(graph.degree)} edges. Medians of ${rounds} rounds, each a login.\n\n` +
      `| what | first | median | requests |\n|---|---|---|---|\n${lines.join('\n')}\n`,
  );
});
