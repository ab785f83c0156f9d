// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { notify } from './notify';
import { Waiting } from './Waiting';

vi.mock('./notify', () => ({ notify: vi.fn() }));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('after a second, the elapsed time and a button to cancel are shown', async () => {
  const onCancel = vi.fn();
  const box = document.createElement('div');
  const root = createRoot(box);
  await act(async () =>
    root.render(
      <MantineProvider>
        <Waiting subject="Film nodes" onCancel={onCancel} />
      </MantineProvider>,
    ),
  );
  await act(async () => vi.advanceTimersByTime(900));
  expect(box.querySelector('button')).toBeNull();
  await act(async () => vi.advanceTimersByTime(2200));
  expect(box.textContent).toContain('3 s');
  const button = box.querySelector('button')!;
  expect(button.getAttribute('aria-label')).toBe('Cancel loading Film nodes');
  await act(async () => button.click());
  expect(onCancel).toHaveBeenCalledOnce();
  expect(notify).toHaveBeenCalledWith('Canceled');
  await act(async () => root.unmount());
});
