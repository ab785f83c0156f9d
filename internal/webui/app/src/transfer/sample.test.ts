// @vitest-environment node
import { expect, test } from 'vitest';
import { sampleGraph } from './sample';

test('the sample names nodes before their edges, and a distance that is known', () => {
  const { lines, counts } = sampleGraph();
  expect(counts).toEqual({ Airport: 105, City: 101, Country: 55, SERVES: 105, IN_COUNTRY: 101, ROUTE: 597 });
  const seen = new Set<unknown>();
  for (const line of lines) {
    const { kind, ref, source_ref, target_ref } = JSON.parse(line) as Record<string, unknown>;
    if (kind === 'node') {
      expect(seen.has(ref)).toBe(false);
      seen.add(ref);
    } else expect(seen.has(source_ref) && seen.has(target_ref)).toBe(true);
  }
  const route = lines.find((line) => line.includes('"source_ref":"Airport JFK","target_ref":"Airport LHR"'))!;
  expect((JSON.parse(route) as { properties: { distance_km: number } }).properties.distance_km).toBeCloseTo(5540, -1.5);
});
