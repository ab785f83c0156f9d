import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parseAnswer } from '../api/json';
import type { Properties } from '../values/value';
import { findViolations, type JSONSchema } from './check';

interface Case {
  name: string;
  schema: JSONSchema;
  properties: Properties;
  violations: Record<string, string>;
  /** The page leaves the check to the service. */
  server_only?: boolean;
}

// The service's test reads the same cases.
const cases = parseAnswer(readFileSync(resolve(import.meta.dirname, '../../../../declared/testdata/form_checks.json'), 'utf8')) as Case[];
const declared = (schema: JSONSchema, level: 'strict' | 'none' = 'strict') => [
  { type: 'Airport', level, schema: schema as never, unique: [], source_types: [], target_types: [] },
];

test.each(cases)('the page checks as the service does: $name', ({ schema, properties, violations, server_only }) => {
  expect(Object.fromEntries(findViolations(declared(schema), properties))).toEqual(server_only ? {} : violations);
});

test('a declaration of level none checks nothing', () => expect(findViolations(declared({ required: ['a'] }, 'none'), {}).size).toBe(0));
