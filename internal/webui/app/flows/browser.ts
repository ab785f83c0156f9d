// A Chromium that can reach the gateway only, and what it must never do.
import { chromium, type Browser, type BrowserContext, type Page, type Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { adminPassword, userPassword } from './gateway';

export const base = inject('base');
export const sample = inject('sample');

// SLOW=8 makes the pages' processor eight times slower: flows that only hold on a quick machine fail then.
const slow = Number(process.env['SLOW'] ?? 1);

let browser: Browser;
const contexts: BrowserContext[] = [];
let violations: string[] = [];

// A refusal that a flow provokes is written to the console by the browser itself.
const expectedError = /Failed to load resource: the server responded with a status of 4\d\d/;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
});
afterAll(() => browser.close());

/** Nothing may be asked of another origin, violate the policy, or fail unseen. */
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  const found = violations;
  violations = [];
  expect(found).toEqual([]);
});

export async function openContext(options: { scheme?: 'light' | 'dark' } = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ colorScheme: options.scheme ?? 'light', viewport: { width: 1366, height: 820 }, reducedMotion: 'reduce', acceptDownloads: true });
  context.setDefaultTimeout(20_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
  await context.route('**/*', (route) => {
    const url = route.request().url();
    if (url.startsWith(`${base}/`) || url.startsWith('data:') || url.startsWith('blob:')) return route.continue();
    violations.push(`foreign request: ${url}`);
    return route.abort();
  });
  context.on('page', (page) => {
    trackRequests(page);
    if (slow > 1) void context.newCDPSession(page).then((session) => session.send('Emulation.setCPUThrottlingRate', { rate: slow }));
    page.on('console', (message) => message.type() === 'error' && !expectedError.test(message.text()) && violations.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => violations.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      violations.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  });
  contexts.push(context);
  return context;
}

export async function logIn(page: Page, username: string, password = username === 'admin' ? adminPassword : userPassword) {
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}

export async function openAs(username: string, path = '/', options: { scheme?: 'light' | 'dark' } = {}): Promise<Page> {
  const page = await (await openContext(options)).newPage();
  await page.goto(base + path);
  await logIn(page, username);
  return page;
}

const isApiRequest = (request: Request) => new URL(request.url()).pathname.startsWith('/api/');
const pendingRequests = new WeakMap<Page, Set<Request>>();

function trackRequests(page: Page) {
  const open = new Set<Request>();
  pendingRequests.set(page, open);
  page.on('request', (request) => isApiRequest(request) && open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
}

/** Waits until the page has drawn everything that it asked for and asks for nothing more. */
export async function waitUntilIdle(page: Page) {
  const open = pendingRequests.get(page)!;
  for (let idleTurns = 0; idleTurns < 3; idleTurns = open.size === 0 ? idleTurns + 1 : 0) {
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => setTimeout(next))));
  }
}

/** The requests of the API that something causes: not those of before it, and all of those that follow from it. */
export async function requestsOf(page: Page, action: () => Promise<void>): Promise<string[]> {
  await waitUntilIdle(page);
  const seen: string[] = [];
  const record = (request: Request) => isApiRequest(request) && seen.push(`${request.method()} ${new URL(request.url()).pathname}`);
  page.on('request', record);
  await action();
  await waitUntilIdle(page);
  page.off('request', record);
  return seen;
}
