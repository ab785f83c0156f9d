// Takes screenshots for visual review, without checks: SCRIPT=/path/to/steps.ts OUT=/path/to/folder node flows/screenshot.ts.
import { chromium } from 'playwright-core';
import { adminPassword } from './api';
import { createFixtures } from './fixtures';
import { startGateway } from './gateway';

const gateway = await startGateway(3600, { GRAPHREST_WEBHOOK_ALLOW: '127.0.0.1' });
const sample = await createFixtures(gateway.base);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const out = process.env['OUT'] ?? '/tmp';
const script = process.env['SCRIPT'] ?? '';
try {
  for (const scheme of (process.env['SCHEMES'] ?? 'light,dark').split(',') as ('light' | 'dark')[]) {
    const page = await browser.newPage({ colorScheme: scheme, viewport: { width: Number(process.env['WIDTH'] ?? 1366), height: Number(process.env['HEIGHT'] ?? 800) } });
    page.on('console', (m) => ['error', 'warning'].includes(m.type()) && console.log(scheme, m.type(), m.text()));
    page.on('pageerror', (e) => console.log(scheme, 'pageerror', e.message));
    page.setDefaultTimeout(8000);
    const shot = (name: string) => page.screenshot({ path: `${out}/${name}-${scheme}.png` });
    await page.goto(gateway.base);
    await page.getByLabel('User name').waitFor();
    const steps = (await import(/* @vite-ignore */ script)) as { default: (page: unknown, shot: unknown, context: unknown) => Promise<void> };
    try {
      await steps.default(page, shot, { base: gateway.base, sample, adminPassword });
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
