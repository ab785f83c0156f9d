// @vitest-environment jsdom
import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  appearanceOf,
  edgeAppearanceOf,
  hasOwnSettings,
  resetAppearance,
  setAppearance,
  showSavedAppearance,
  showSharedStyles,
} from './appearance';
import { setForEverybody } from './typeStyles';

const bodies: unknown[] = [];
const queries = new QueryClient();

beforeEach(() => {
  bodies.length = 0;
  vi.stubGlobal('fetch', async (request: Request) => {
    bodies.push(await request.json());
    return Response.json({ data: { kind: 'nodes', type: 'Film', color: null, size: null, width: null, caption: null, updated_at: null } });
  });
  showSavedAppearance(null);
  resetAppearance('node', 'Film');
  resetAppearance('edge', 'KNOWS');
  showSharedStyles({
    node_types: [{ type: 'Film', style: { color: '#112233', size: 56n, caption: 'title' } }],
    edge_types: [{ type: 'KNOWS', style: { color: '#112233', width: 5n } }],
  } as unknown as Parameters<typeof showSharedStyles>[0]);
});

test('sets the own settings alone, so that what another administrator has changed since stays', async () => {
  setAppearance('node', 'Film', { colour: '#ABCDEF' });
  await setForEverybody(queries, 'node', 'Film');
  setAppearance('node', 'Film', { size: 28, caption: '' });
  await setForEverybody(queries, 'node', 'Film');
  setAppearance('edge', 'KNOWS', { width: 8 });
  await setForEverybody(queries, 'edge', 'KNOWS');
  expect(bodies).toEqual([{ color: '#abcdef' }, { size: 28, caption: null }, { width: 8 }]);
  expect(hasOwnSettings('node', 'Film')).toBe(false);
});

test('an automatic width is a setting that removes the shared width', async () => {
  setAppearance('edge', 'KNOWS', { width: 0 });
  expect(edgeAppearanceOf('KNOWS')).toEqual({ colour: '#112233' });
  await setForEverybody(queries, 'edge', 'KNOWS');
  expect(bodies).toEqual([{ width: null }]);
});

test('keeps the settings of a saved view that is open', async () => {
  const saved = { node: { Film: { size: 28 } }, edge: {} };
  showSavedAppearance(saved);
  await setForEverybody(queries, 'node', 'Film');
  expect(bodies).toEqual([{ size: 28 }]);
  expect(appearanceOf('Film').size).toBe(28);
  expect(hasOwnSettings('node', 'Film')).toBe(true);
});
