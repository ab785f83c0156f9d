// Takes screenshots for visual review, without checks: SCRIPT=/path/to/steps.ts OUT=/path/to/folder npm run screenshots. The steps are a
// function of the page, of one that takes a screenshot by its name, and of the gateway.
import { chromium } from 'playwright-core';
import { adminPassword } from './api';
import { createFixtures } from './fixtures';
import { freePort, startGateway } from './gateway';

interface Steps {
  default: (page: unknown, shot: unknown, context: unknown) => Promise<void>;
  /** Further settings of the gateway at an address. */
  settings?: (base: string) => Promise<Record<string, string>>;
}

const out = process.env['OUT'] ?? '/tmp';
const script = process.env['SCRIPT'] ?? '';
const { default: runSteps, settings } = (await import(/* @vite-ignore */ script)) as Steps;

const port = await freePort();
const gateway = await startGateway(3600, { GRAPHREST_WEBHOOK_ALLOW: '127.0.0.1', ...(await settings?.(`http://127.0.0.1:${port}`)) }, port);
const sample = await createFixtures(gateway.base);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  for (const scheme of (process.env['SCHEMES'] ?? 'light,dark').split(',') as ('light' | 'dark')[]) {
    const page = await browser.newPage({
      colorScheme: scheme,
      viewport: { width: Number(process.env['WIDTH'] ?? 1366), height: Number(process.env['HEIGHT'] ?? 800) },
    });
    page.on('console', (m) => ['error', 'warning'].includes(m.type()) && console.log(scheme, m.type(), m.text()));
    page.on('pageerror', (e) => console.log(scheme, 'pageerror', e.message));
    page.setDefaultTimeout(8000);
    const shot = (name: string) => page.screenshot({ path: `${out}/${name}-${scheme}.png` });
    await page.goto(gateway.base);
    await page.getByRole('heading', { name: 'Graph Data Service' }).waitFor();
    try {
      await runSteps(page, shot, { base: gateway.base, sample, adminPassword });
    } catch (error) {
      console.log(scheme, String(error));
      await shot('failed');
    }
    await page.close();
  }
} finally {
  await browser.close();
  await gateway.stop();
}
