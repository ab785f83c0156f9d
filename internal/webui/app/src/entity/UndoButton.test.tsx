// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetChanges, recordChange } from './changes';
import { UndoButton } from './UndoButton';

const undoChanges = vi.hoisted(() => vi.fn());
vi.mock('../history/history', () => ({ undoChanges, hasConflicts: () => false }));
vi.mock('../history/UndoDialog', () => ({}));
vi.mock('../session/session', () => ({ usePermissions: () => ({ node: { edit: true } }) }));
vi.mock('../shell/notify', () => ({ notify: vi.fn(), notifyProblem: vi.fn() }));
vi.mock('../explore/lists', () => ({ refetchGraph: vi.fn() }));

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
});
afterEach(() => {
  forgetChanges();
  vi.unstubAllGlobals();
});

test('Ctrl Z undoes a change that it has announced, and none while an undo runs', async () => {
  for (const requestId of ['first', 'second'])
    recordChange({ label: requestId, kind: 'node', needs: 'edit', requestId, undoUnrecorded: null });
  let finish: () => void = () => undefined;
  undoChanges.mockImplementation(() => new Promise<void>((done) => (finish = done)));
  const box = document.body.appendChild(document.createElement('div'));
  const root = createRoot(box);
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <MantineProvider env="test">
          <UndoButton />
        </MantineProvider>
      </QueryClientProvider>,
    ),
  );
  const press = () =>
    act(async () => document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true })));
  const undone = () => undoChanges.mock.calls.map(([target]) => (target as { request_id: string }).request_id);
  await press();
  expect(undone()).toEqual([]);
  await press();
  await press();
  expect(undone()).toEqual(['second']);
  await act(async () => finish());
  box.querySelector('button')!.focus(); // as keepFocus does
  await press();
  expect(undone()).toEqual(['second']);
  await press();
  expect(undone()).toEqual(['second', 'first']);
  await act(async () => root.unmount());
});
