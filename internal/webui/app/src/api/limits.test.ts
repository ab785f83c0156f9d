import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { maxLimit } from './limits';

interface Parameter {
  name: string;
  schema: { maximum?: number };
}

interface Description {
  components: { parameters: Record<string, Parameter> };
  paths: Record<string, { get?: { parameters?: (Parameter | { $ref: string })[] } }>;
}

test('maxLimit is the maximum of limit in the OpenAPI description', () => {
  const description = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../../../docs/openapi/openapi.json'), 'utf8'),
  ) as Description;
  expect(description.components.parameters.limit?.schema.maximum).toBe(maxLimit);
  for (const path of ['/api/changes', '/api/nodes/{node_id}/neighbors']) {
    const limits = (description.paths[path]?.get?.parameters ?? []).filter(
      (parameter): parameter is Parameter => 'name' in parameter && parameter.name === 'limit',
    );
    expect(
      limits.map((limit) => limit.schema.maximum),
      path,
    ).toEqual([maxLimit]);
  }
});
