// A Chromium that can reach only 127.0.0.1. A request to an origin other than the gateway's, an error or a dialog fails the flow.
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Locator, type Page, type Request } from 'playwright-core';
import { inject } from 'vitest';
import { adminPassword, sessionOf, startSession, userPassword } from './api';
import { worker } from './databases';
import { describePage, recordInput } from './diagnosis';

const environment = inject('environments')[worker]!;
export const base = environment.base;
export const sample = environment.sample!;

// SLOW=8 throttles the CPU of pages by a factor of eight, to find flows that pass only on a fast machine.
const slow = Number(process.env['SLOW'] ?? 1);

let browser: Promise<Browser> | undefined;
const contexts: BrowserContext[] = [];
let violations: string[] = [];

// The browser logs expected error responses to the console.
const expectedError = /Failed to load resource: the server responded with a status of (4\d\d|503|504)/;

// Other hosts are not resolved, by name or by address. To ask for each request whether it may be sent would take longer, and would keep the
// browser from using its cache.
const onlyThisMachine = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';

// The headless shell is the same engine without the browser's own windows, and takes two thirds of the time.
const shell = '/usr/bin/chromium-headless-shell';
const executablePath = process.env['CHROMIUM'] ?? (existsSync(shell) ? shell : '/usr/bin/chromium');

/** The browser of all flows. It ends with this process. */
const launch = () => (browser ??= chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', onlyThisMachine] }));

/** Closes what a flow has opened. Returns requests to other origins, policy violations, errors and dialogs. */
export async function closeContexts(): Promise<string[]> {
  for (const context of contexts.splice(0)) await context.close();
  const found = violations;
  violations = [];
  return found;
}

/** What the open pages show, for a flow that has failed. */
export async function describePages(): Promise<string> {
  const pages = contexts.flatMap((context) => context.pages());
  return (await Promise.all(pages.map((page) => describePage(page).catch((error: unknown) => `${page.url()}: ${String(error)}`)))).join(
    '\n',
  );
}

interface ContextOptions {
  scheme?: 'light' | 'dark';
  origins?: string[];
  /** Requests may fail for lack of a service. */
  outage?: boolean;
}

/** Opens a separate browser profile. A request of its pages to an origin that is neither the gateway's nor given fails the flow. */
export async function openContext(options: ContextOptions = {}): Promise<BrowserContext> {
  const context = await (
    await launch()
  ).newContext({
    colorScheme: options.scheme ?? 'light',
    viewport: { width: 1366, height: 820 },
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  context.setDefaultTimeout(20_000);
  await recordInput(context);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
  context.on('request', (request) => {
    const url = request.url();
    if (
      [base, ...(options.origins ?? [])].some((origin) => url.startsWith(`${origin}/`)) ||
      url.startsWith('data:') ||
      url.startsWith('blob:')
    )
      return;
    violations.push(`foreign request: ${url}`);
  });
  context.on('page', (page) => {
    trackRequests(page);
    if (slow > 1) void context.newCDPSession(page).then((session) => session.send('Emulation.setCPUThrottlingRate', { rate: slow }));
    page.on(
      'console',
      (message) =>
        message.type() === 'error' &&
        !expectedError.test(message.text()) &&
        !(options.outage && message.text().includes('net::ERR_')) &&
        violations.push(`console: ${message.text()}`),
    );
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

interface OpenOptions {
  scheme?: 'light' | 'dark';
  /** A session that no other flow has, for a flow that ends it. */
  ownSession?: boolean;
}

/** Opens a page in a session of the user. The flows of the session log in by the form. */
export async function openAs(username: string, path = '/', { scheme, ownSession = false }: OpenOptions = {}): Promise<Page> {
  const page = await (await openContext({ scheme })).newPage();
  const session = await (ownSession ? startSession : sessionOf)(base, username);
  await page.addInitScript((stored) => {
    // Only at first: a page that has logged out stays so.
    if (location.protocol !== 'http:' || sessionStorage.getItem('flow') !== null) return;
    sessionStorage.setItem('flow', 'begun');
    sessionStorage.setItem('graphrest.session', stored);
  }, JSON.stringify(session));
  await page.goto(base + path);
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return page;
}

/**
 * Makes the bodies of a page's requests readable: without an interception Chromium does not report them. Called early: a request that the
 * page sends before the interception is active is not reported at all.
 */
export const reportBodies = (page: Page) => page.route('**/api/**', (route) => route.continue());

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

/** Returns the rows of a list that begin above the end of the row before: one that is higher than its place covers the next. */
export async function overlapping(rows: Locator): Promise<string[]> {
  return rows.evaluateAll((all) => {
    const places = all.map((row) => ({ row, at: row.getBoundingClientRect() })).sort((a, b) => a.at.top - b.at.top);
    if (places.length < 3) return [`only ${places.length} rows`];
    return places.slice(1).flatMap(({ row, at }, i) => (at.top < places[i]!.at.bottom - 0.1 ? [row.textContent] : []));
  });
}

/** Opens an item of the menu Help, which is a separate page. */
export async function openHelp(page: Page, name: string): Promise<Page> {
  await page.getByRole('button', { name: 'Help' }).click();
  const [opened] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('menuitem', { name }).click()]);
  return opened;
}
