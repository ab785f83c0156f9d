// Declared types, for administrators.
import { parse, stringify } from 'lossless-json';
import { unwrap, client } from '../api/client';
import type { EntityKind, PageInfo } from '../api/graph';
import { maxLimit } from '../api/limits';
import type { components } from '../api/openapi';
import { Problem } from '../api/problem';
import { sortedNames } from '../values/text';

export type DeclaredType = components['schemas']['DeclaredType'];
export type Violation = components['schemas']['Violation'];
export type Level = DeclaredType['level'];
export type TypeKind = DeclaredType['kind'];

/** The levels, each with what it checks. */
export const levels: { value: Level; label: string }[] = [
  { value: 'none', label: 'none: checks nothing' },
  { value: 'new', label: 'new: checks creates' },
  { value: 'moderate', label: 'moderate: also changes of valid entities' },
  { value: 'strict', label: 'strict: checks every change' },
];

export interface Draft {
  kind: TypeKind;
  type: string;
  level: Level;
  /** JSON Schema as text. */
  schema: string;
  /** Each item is a list of property names, separated by commas. */
  unique: string[];
  sources: string[];
  targets: string[];
}

export const entityKindOf = (group: TypeKind): EntityKind => (group === 'edges' ? 'edge' : 'node');

export const emptySchema = '{\n  "properties": {},\n  "required": []\n}';

export function draftOf(t: Pick<DeclaredType, 'kind' | 'type' | 'level' | 'schema'> & Partial<DeclaredType>): Draft {
  return {
    kind: t.kind,
    type: t.type,
    level: t.level,
    schema: stringify(t.schema, undefined, 2) ?? emptySchema,
    unique: (t.unique ?? []).map((key) => key.join(', ')),
    sources: t.source_types ?? [],
    targets: t.target_types ?? [],
  };
}

/** The request body of a declaration. Integers of the schema stay integers. Throws a VALIDATION_ERROR if the schema is not JSON. */
export function declarationOf(draft: Draft): components['schemas']['Declaration'] {
  let schema: unknown;
  try {
    schema = parse(draft.schema, null, (text) => (/^-?\d+$/.test(text) ? BigInt(text) : Number(text)));
  } catch (error) {
    throw new Problem('VALIDATION_ERROR', 'Invalid input', 400, [
      { field: 'schema', message: `is not JSON: ${error instanceof Error ? error.message : String(error)}` },
    ]);
  }
  const unique = draft.unique.map((key) =>
    key
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
  const ends = draft.kind === 'edges' ? { source_types: draft.sources, target_types: draft.targets } : {};
  return { level: draft.level, schema: schema as Record<string, never>, unique, ...ends };
}

export async function listDeclared(): Promise<DeclaredType[]> {
  const all: DeclaredType[] = [];
  for (let cursor = ''; ;) {
    const { data } = await unwrap(
      client.GET('/api/admin/types', { params: { query: { limit: maxLimit, ...(cursor ? { cursor } : {}) } } }),
    );
    all.push(...data.data);
    if (!data.meta.page.next_cursor) return all;
    cursor = data.meta.page.next_cursor;
  }
}

const pathParams = (kind: TypeKind, type: string) => ({ path: { kind, type } });

export async function saveDeclaration(draft: Draft): Promise<DeclaredType> {
  const body = declarationOf(draft);
  return (await unwrap(client.PUT('/api/admin/types/{kind}/{type}', { params: pathParams(draft.kind, draft.type), body }))).data.data;
}

export async function deleteDeclaration(kind: TypeKind, type: string): Promise<void> {
  await unwrap(client.DELETE('/api/admin/types/{kind}/{type}', { params: pathParams(kind, type) }));
}

/** Generates a declaration from the data, with the properties in display order. */
export async function proposeDeclaration(kind: TypeKind, type: string): Promise<Draft> {
  const { data } = await unwrap(client.POST('/api/admin/types/{kind}/{type}/propose', { params: pathParams(kind, type) }));
  const declaration = data.data.declaration as unknown as DeclaredType;
  const { properties = {}, ...keywords } = declaration.schema as { properties?: Record<string, never> };
  const schema = { ...keywords, properties: Object.fromEntries(sortedNames(properties).map((name) => [name, properties[name]!])) };
  return draftOf({ ...declaration, schema: schema as unknown as DeclaredType['schema'], kind, type });
}

export async function listViolations(kind: TypeKind, type: string): Promise<{ violations: Violation[]; page: PageInfo }> {
  const { data } = await unwrap(
    client.GET('/api/admin/types/{kind}/{type}/violations', { params: { ...pathParams(kind, type), query: { limit: 100 } } }),
  );
  return { violations: data.data, page: data.meta.page };
}
