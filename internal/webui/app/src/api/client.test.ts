// @vitest-environment node
import { expect, test, vi } from 'vitest';
import { listNodes } from './graph';

vi.mock('../session/session', () => ({ session: { token: () => 'token' } }));
vi.mock('openapi-fetch', async (load) => {
  const { default: create } = await load<typeof import('openapi-fetch')>();
  return { default: (options: object) => create({ ...options, baseUrl: 'http://gateway' }) };
});

test('an aborted call aborts the request that is sent and throws ABORTED', async () => {
  let sent: Request | undefined;
  vi.stubGlobal('fetch', (request: Request) => {
    sent = request;
    return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason as Error)));
  });
  const aborting = new AbortController();
  const call = listNodes({ type: 'Film', sort: 'score' }, aborting.signal);
  await vi.waitFor(() => expect(sent?.url).toBe('http://gateway/api/nodes?type=Film&sort=score'));
  expect(sent?.signal.aborted).toBe(false);
  aborting.abort();
  await expect(call).rejects.toMatchObject({ code: 'ABORTED', message: 'Canceled' });
  expect(sent?.signal.aborted).toBe(true);
  vi.unstubAllGlobals();
});
