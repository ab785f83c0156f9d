import { test } from 'vitest';
import { connect, userPassword } from './api';
import { base, openAs } from './browser';
test('shots', async () => {
  const admin = await connect(base);
  await admin('POST', '/api/admin/roles', { name: 'films', grants: [{ kind: 'node', type: 'Film', actions: ['read', 'edit'] }, { kind: 'node', type: 'Person', actions: ['read'], where: { born: { gt: 1970 } }, hidden: ['born'] }, { kind: 'edge', type: '*', actions: ['read'] }] });
  await admin('POST', '/api/admin/users', { username: 'ann', password: userPassword, roles: ['films'] });
  for (const scheme of ['light', 'dark'] as const) {
    const page = await openAs('admin', '/as/user:ann/explore?type=Film', { scheme });
    const shot = (name: string) => page.screenshot({ path: `/tmp/t/r19-shots/${name}-${scheme}.png` });
    await page.getByRole('row').nth(2).click();
    await page.getByRole('complementary', { name: 'Node' }).waitFor();
    await page.getByRole('link', { name: /^Why can ann/ }).waitFor();
    await shot('view-as');
    await page.setViewportSize({ width: 1024, height: 768 });
    await shot('view-as-1024');
    await page.goto(`${base}/roles`);
    await page.getByRole('link', { name: 'View as films' }).waitFor();
    await shot('roles');
    await page.setViewportSize({ width: 1366, height: 820 });
    await page.goto(`${base}/roles?role=films`);
    await page.getByRole('button', { name: 'Count' }).click();
    await page.getByText(/^all /).first().waitFor();
    await page.getByRole('region', { name: 'Preview' }).scrollIntoViewIfNeeded();
    await shot('preview');
    await page.setViewportSize({ width: 1024, height: 768 });
    await shot('preview-1024');
  }
}, 100_000);
