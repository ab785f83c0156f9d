// A Chromium that can reach the gateway only, and what it must never do.
import { chromium, type Browser, type BrowserContext, type Page, type Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { adminPassword, userPassword } from './gateway';

export const base = inject('base');
export const sample = inject('sample');

let browser: Browser;
const contexts: BrowserContext[] = [];
let faults: string[] = [];

// A refusal that a flow provokes is written to the console by the browser itself.
const refusal = /Failed to load resource: the server responded with a status of 4\d\d/;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
});
afterAll(() => browser.close());

/** Nothing may be asked of another origin, violate the policy, or fail unseen. */
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  const found = faults;
  faults = [];
  expect(found).toEqual([]);
});

export async function openContext(options: { scheme?: 'light' | 'dark' } = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ colorScheme: options.scheme ?? 'light', viewport: { width: 1366, height: 820 }, reducedMotion: 'reduce', acceptDownloads: true });
  context.setDefaultTimeout(20_000);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: base });
  await context.route('**/*', (route) => {
    const url = route.request().url();
    if (url.startsWith(`${base}/`) || url.startsWith('data:') || url.startsWith('blob:')) return route.continue();
    faults.push(`foreign request: ${url}`);
    return route.abort();
  });
  context.on('page', (page) => {
    page.on('console', (message) => message.type() === 'error' && !refusal.test(message.text()) && faults.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
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

/** Counts the requests of the API while something happens. */
export async function requestsOf(page: Page, what: () => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  const note = (request: Request) => {
    const url = new URL(request.url());
    if (url.pathname.startsWith('/api/')) seen.push(`${request.method()} ${url.pathname}`);
  };
  page.on('request', note);
  await what();
  page.off('request', note);
  return seen;
}
