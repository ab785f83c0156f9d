// @vitest-environment node
import { expect, test, vi } from 'vitest';
import { client } from '../api/client';
import { undoChange, type UndoableChange } from './changes';

vi.mock('../api/client', async (load) => ({ ...(await load<typeof import('../api/client')>()), client: { POST: vi.fn() } }));

const answer = (status: number, code: string, details: object[] = []) =>
  vi
    .mocked(client.POST)
    .mockResolvedValueOnce({ error: { error: { code, message: 'no', details } }, response: new Response(null, { status }) } as never);
const change = (undoUnrecorded: UndoableChange['undoUnrecorded']): UndoableChange => ({
  label: 'deleted Ann',
  kind: 'node',
  needs: 'create',
  requestId: 'r1',
  undoUnrecorded,
});

test.each([
  ['the service does not record changes', 409, 'CONFLICT'],
  ['the change is not recorded', 404, 'NOT_FOUND'],
])('if %s, the change is undone by ordinary requests', async (_, status, code) => {
  answer(status, code);
  const ordinary = vi.fn(() => Promise.resolve());
  await undoChange(change(ordinary));
  expect(ordinary).toHaveBeenCalledOnce();
});

test('an undo that is refused because of a later change is not done by ordinary requests', async () => {
  answer(409, 'CONFLICT', [{ field: 'id', message: 'was changed since' }]);
  const ordinary = vi.fn(() => Promise.resolve());
  await expect(undoChange(change(ordinary))).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(ordinary).not.toHaveBeenCalled();
});

test('without history, a change that ordinary requests cannot undo completely is an error', async () => {
  answer(409, 'CONFLICT');
  await expect(undoChange(change(null))).rejects.toThrow('does not record changes');
});
