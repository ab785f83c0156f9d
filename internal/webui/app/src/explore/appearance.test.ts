// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { appearanceOf } from './appearance';

test('the colour of a type depends on its name alone', () => {
  // The colours of the sample's types, which must not change with a release.
  expect(['Person', 'Film', 'Studio', 'City'].map((type) => appearanceOf(type).colour)).toEqual(['#7a5c00', '#33479b', '#a33a2c', '#00695c']);
});
