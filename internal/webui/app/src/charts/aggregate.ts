// Aggregates of a list, computed by the service.
import { client, unwrap } from '../api/client';
import { serializeQuery, type EntityKind } from '../api/graph';
import { listedName } from '../explore/endNames';
import { filterParam, type Condition } from '../explore/filters';
import type { Value } from '../values/value';

export interface Measure {
  /** Entities with the property. */
  count: number;
  /** Entities where it is a number. */
  numbers: number;
  sum: Value | null;
  mean: Value | null;
  min: Value | null;
  max: Value | null;
}

export interface Group {
  /** The value, or the lower bound of a bin; null for entities without it. */
  value: Value | null;
  /** The upper bound of a bin, which is outside it; else null. */
  until: Value | null;
  count: number;
  measures: Record<string, Measure>;
}

export interface Aggregate {
  groups: Group[];
  /** Whether there are more groups. */
  truncated: boolean;
}

/** What is aggregated: the entities of a list. */
export interface Listed {
  kind: EntityKind;
  type: string | null;
  conditions: Condition[];
}

interface Question {
  groupBy?: string;
  bin?: string;
  measure?: string;
  limit?: number;
}

const measureOf = (wire: Record<string, unknown>) => ({ ...wire, count: Number(wire.count), numbers: Number(wire.numbers) }) as Measure;

export async function aggregate(
  { kind, type, conditions }: Listed,
  { groupBy, bin, measure, limit }: Question,
  signal?: AbortSignal,
): Promise<Aggregate> {
  const query = {
    ...(type === null ? {} : { type }),
    ...(groupBy === undefined ? {} : { group_by: groupBy }),
    ...(bin === undefined ? {} : { bin }),
    ...(measure === undefined ? {} : { measure: JSON.stringify([measure]) }),
    ...(limit === undefined ? {} : { limit }),
  };
  const options = { params: { query }, querySerializer: serializeQuery(conditions.map(filterParam)), signal };
  const { data } = await unwrap(
    kind === 'node' ? client.GET('/api/aggregate/nodes', options) : client.GET('/api/aggregate/edges', options),
  );
  const groups = data.data.groups.map((g) => ({
    value: (g.value ?? null) as Value | null,
    until: (g.until ?? null) as Value | null,
    count: Number(g.count),
    measures: Object.fromEntries(
      Object.entries(g.measures).map(([name, m]) => [listedName(kind, name), measureOf(m as unknown as Record<string, unknown>)]),
    ),
  }));
  return { groups, truncated: data.data.truncated };
}
