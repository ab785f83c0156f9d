// A Chromium that can reach only the gateway. Requests to other origins, errors and dialogs fail the flow.
import { chromium, type Browser, type BrowserContext, type Page, type Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { adminPassword, userPassword } from './api';

export const base = inject('base');
export const sample = inject('sample');

// SLOW=8 throttles the CPU of pages by a factor of eight, to find flows that pass only on a fast machine.
const slow = Number(process.env['SLOW'] ?? 1);

let browser: Browser;
const contexts: BrowserContext[] = [];
let violations: string[] = [];

// The browser logs expected error responses to the console.
const expectedError = /Failed to load resource: the server responded with a status of (4\d\d|503|504)/;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
});
afterAll(() => browser.close());

/** Fails if there was a request to another origin, a policy violation, an error or a dialog. */
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  const found = violations;
  violations = [];
  expect(found).toEqual([]);
});

/** Opens a browser profile of its own. Its pages may reach the gateway, and the given origins. */
export async function openContext(options: { scheme?: 'light' | 'dark'; origins?: string[] } = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ colorScheme: options.scheme ?? 'light', viewport: { width: 1366, height: 820 }, reducedMotion: 'reduce', acceptDownloads: true });
  context.setDefaultTimeout(20_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
  await context.route('**/*', (route) => {
    const url = route.request().url();
    if ([base, ...(options.origins ?? [])].some((origin) => url.startsWith(`${origin}/`)) || url.startsWith('data:') || url.startsWith('blob:')) return route.continue();
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
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
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

/** Waits until the page has no pending requests and has rendered the results. */
export async function waitUntilIdle(page: Page) {
  const open = pendingRequests.get(page)!;
  for (let idleTurns = 0; idleTurns < 3; idleTurns = open.size === 0 ? idleTurns + 1 : 0) {
    await page.evaluate(() => new Promise((next) => requestAnimationFrame(() => setTimeout(next))));
  }
}

/** Returns the API requests that an action causes, including requests that follow from it. */
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
