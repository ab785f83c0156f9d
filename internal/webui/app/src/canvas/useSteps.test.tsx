// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findPath, type Subgraph } from '../api/graph';
import { parseView, type ChangeView, type View } from '../explore/url';
import { parseSteps } from './steps';
import { useSteps } from './useSteps';

vi.mock('../api/graph', () => ({ findPath: vi.fn() }));
vi.mock('../shell/notify', () => ({ notify: vi.fn(), notifyProblem: vi.fn() }));
vi.mock('react-router', () => ({}));

let view: View;
let steps: ReturnType<typeof useSteps>;
let root: Root;
const change: ChangeView = (next) => void (view = { ...view, ...(typeof next === 'function' ? next(view) : next) });
const Probe = () => {
  steps = useSteps(view, change);
  return null;
};
const queries = new QueryClient();
const render = () =>
  act(async () =>
    root.render(
      <QueryClientProvider client={queries}>
        <Probe />
      </QueryClientProvider>,
    ),
  );
const kinds = () => parseSteps(view.steps).map((step) => step.do);

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  view = parseView(new URLSearchParams('type=Film&view=graph'));
  root = createRoot(document.createElement('div'));
  await render();
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

test('steps are undone and done again, also before the first is rendered', async () => {
  steps.expand('a', 'both', null);
  steps.hide(['b']);
  steps.undo();
  steps.undo();
  expect(kinds()).toEqual([]);
  await render();
  expect(steps.canRedo).toBe(true);
  steps.redo();
  steps.redo();
  steps.redo(); // there is no third
  expect(kinds()).toEqual(['expand', 'hide']);
});

test('what was undone cannot be done again once the address has other steps', async () => {
  steps.expand('a', 'both', null);
  steps.hide(['b']);
  steps.undo();
  view = { ...view, steps: '' }; // as by the browser's Back button
  await render();
  expect(steps.canRedo).toBe(false);
  steps.redo();
  expect(kinds()).toEqual([]);
});

test('a path that is found after the user has gone to another selection is not added there', async () => {
  let found: (path: Subgraph) => void = () => undefined;
  vi.mocked(findPath).mockImplementation(() => new Promise((resolve) => (found = resolve)));
  const path = { nodes: [{ id: 'a' }, { id: 'b' }], edges: [], truncated: false } as unknown as Subgraph;
  const elsewhere = steps.addPath('a', 'b');
  view = { ...view, type: 'City' };
  await vi.waitFor(() => expect(findPath).toHaveBeenCalled());
  found(path);
  await elsewhere;
  expect(kinds()).toEqual([]);
  await render();
  queries.clear();
  const here = steps.addPath('a', 'b');
  await vi.waitFor(() => expect(findPath).toHaveBeenCalledTimes(2));
  found(path);
  await here;
  expect(kinds()).toEqual(['path']);
});
