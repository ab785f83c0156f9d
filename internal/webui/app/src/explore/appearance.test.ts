// @vitest-environment jsdom
import { expect, test } from 'vitest';
import {
  appearanceOf,
  appearanceSettings,
  edgeAppearanceOf,
  resetAppearance,
  setAppearance,
  showSavedAppearance,
  showSharedStyles,
} from './appearance';

test('the colour of a type depends on its name alone', () => {
  // The colours of the sample's types, which must not change with a release.
  expect(['Person', 'Film', 'Studio', 'City'].map((type) => appearanceOf(type).colour)).toEqual([
    '#7a5c00',
    '#33479b',
    '#a33a2c',
    '#00695c',
  ]);
});

const schema = (style?: { color?: string; size?: number; caption?: string }) =>
  ({
    node_types: [{ type: 'Film', style: style && { ...style, size: style.size && BigInt(style.size) } }, { type: 'City' }],
    edge_types: [{ type: 'Film', style: { width: 5n } }],
  }) as unknown as Parameters<typeof showSharedStyles>[0];

test('the style for all users comes before the default, own settings and those of a saved view before both', () => {
  showSharedStyles(schema({ color: '#112233', size: 56, caption: 'title' }));
  expect(appearanceOf('Film')).toEqual({ colour: '#112233', size: 56, caption: 'title' });
  expect(edgeAppearanceOf('Film')).toEqual({ width: 5 });
  expect(appearanceOf('City')).toEqual({ colour: '#00695c', size: 40 });
  expect({ ...appearanceSettings({ node: ['Film'], edge: ['Film'] }).node }).toEqual({}); // a saved view does not keep what all share

  setAppearance('node', 'Film', { colour: '#445566', caption: undefined });
  expect(appearanceOf('Film')).toEqual({ colour: '#445566', size: 56, caption: 'title' });
  showSavedAppearance({ node: { Film: { caption: '' } }, edge: {} });
  expect(appearanceOf('Film')).toEqual({ colour: '#112233', size: 56, caption: '' });
  showSavedAppearance(null);
  resetAppearance('node', 'Film');
  expect(appearanceOf('Film')).toEqual({ colour: '#112233', size: 56, caption: 'title' });
  showSharedStyles(schema());
  expect(appearanceOf('Film')).toEqual({ colour: '#33479b', size: 40 });
});

test('a setting that is removed leaves nothing in the browser', () => {
  setAppearance('edge', 'KNOWS', { width: 5 });
  setAppearance('edge', 'KNOWS', { width: undefined });
  expect(localStorage.getItem('graphrest.appearance.edges')).toBe('{}');
});
