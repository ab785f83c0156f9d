// The properties of the nodes at the ends of edges, as the schema knows them, for filters and sorts.
import type { PropertyUse, Schema } from '../api/graph';
import { endTypesOf, type End } from '../entity/ends';
import { isNamingType, namingRank } from '../values/text';
import { propertiesOf } from './columns';

/** The properties of the nodes at an end of edges of a type, with their names in filters and sorts. */
export function propertiesAt(schema: Schema, edgeType: string | null, end: End): PropertyUse[] {
  if (edgeType === null) return [];
  const found = new Map<string, PropertyUse>();
  for (const use of endTypesOf(schema, edgeType, end).types.flatMap((type) => propertiesOf(schema, 'node', type))) {
    const seen = found.get(use.name);
    found.set(use.name, seen ? { ...seen, types: [...new Set([...seen.types, ...use.types])] } : use);
  }
  return [...found.values()].map((use) => ({ ...use, name: `${end}:${use.name}` }));
}

/** The property that names the nodes at an end, if it is the same for all types there; by the service's rule for captions. */
export function namingPropertyAt(schema: Schema, edgeType: string, end: End): string | undefined {
  const names = endTypesOf(schema, edgeType, end).types.map((type) => {
    const naming = propertiesOf(schema, 'node', type).filter((use) => isNamingType(use.name, use.types));
    return naming.map((use) => use.name).sort((a, b) => (namingRank(a) < namingRank(b) ? -1 : 1))[0];
  });
  return names.every((name) => name === names[0]) ? names[0] : undefined;
}
