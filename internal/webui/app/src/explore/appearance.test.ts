// @vitest-environment jsdom
import { expect, test } from 'vitest';
import {
  appearanceOf,
  appearanceSettings,
  edgeAppearanceOf,
  resetAppearance,
  setAppearance,
  showSavedAppearance,
  shapeOf,
  showSharedStyles,
} from './appearance';
import { palette } from '../theme';
import { shapes } from './shapes';

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

test('a type with an icon is a circle', () => {
  const shown = (icon?: string) => showSharedStyles({ node_types: [{ type: 'Film', style: { icon } }], edge_types: [] } as never);
  shown();
  expect(shapeOf('Film')).not.toBeNull();
  shown('film');
  expect([shapeOf('Film'), appearanceOf('Film').icon]).toEqual([null, 'film']);
  shown('an icon of a newer client');
  expect(shapeOf('Film')).not.toBeNull();
  shown();
});

test('types of the schema have different colours as long as there are any', () => {
  const types = Array.from({ length: 40 }, (_, i) => `Type ${i}`);
  const shown = (n: number) => showSharedStyles({ node_types: types.slice(0, n).map((type) => ({ type })), edge_types: [] } as never);
  shown(palette.length);
  expect(new Set(types.slice(0, palette.length).map((type) => appearanceOf(type).colour)).size).toBe(palette.length);
  const before = types.slice(0, palette.length).map((type) => appearanceOf(type).colour);
  shown(40); // what comes later in the alphabet changes nothing
  expect(types.slice(0, palette.length).map((type) => appearanceOf(type).colour)).toEqual(before);
  showSharedStyles({
    node_types: [{ type: 'A', style: { color: palette[0]! } }, ...types.slice(0, 19).map((type) => ({ type }))],
    edge_types: [],
  } as never);
  expect(types.slice(0, 19).map((type) => appearanceOf(type).colour)).not.toContain(palette[0]);
});

test('the shape of a type is that of its name, whatever other types there are', () => {
  const sample = ['Person', 'Film', 'Studio', 'City'];
  const others = Array.from({ length: 20 }, (_, i) => `A${i}`); // before them in the alphabet
  const shown = (...types: string[]) => showSharedStyles({ node_types: types.map((type) => ({ type })), edge_types: [] } as never);
  const before = sample.map(shapeOf);
  expect(new Set(before).size).toBe(sample.length);
  for (const types of [sample, [...others, ...sample]]) {
    shown(...types);
    expect(sample.map(shapeOf)).toEqual(before);
  }
  expect(new Set(others.map(shapeOf)).size).toBe(shapes.length); // a few names have them all
  shown();
});

test('the shape that the service gives a type decides', () => {
  expect(shapes.length).toBe(8); // as many as the service knows
  const types = shapes.map((_, i) => ({ type: `Type ${i}`, shape_place: BigInt(i + 1) }));
  showSharedStyles({ node_types: types, edge_types: [] } as never);
  expect(types.map(({ type }) => shapeOf(type))).toEqual(shapes);
  showSharedStyles({ node_types: [], edge_types: [] });
});

test('the place that the service gives a type decides, whatever comes before it in the alphabet', () => {
  showSharedStyles({ node_types: [{ type: 'A' }, { type: 'Film', palette_place: 7n }], edge_types: [] } as never);
  expect(appearanceOf('Film').colour).toBe(palette[6]);
  showSharedStyles({ node_types: [], edge_types: [] } as never);
});

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
