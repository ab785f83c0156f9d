// The conditions of a pattern: what POST /api/match takes, and what a saved query may have instead of a text.
import { isObject } from '../api/json';
import type { Parameters } from './queries';
import { newParameter, type ParameterSettings } from './saveForm';

export type Pattern = Record<string, unknown>;

/** Where a condition stands. */
export interface ConditionPlace {
  part: string;
  property: string;
  operator: string;
}

const partOf = ({ as, edge }: Record<string, unknown>, isEdge: boolean) => {
  const [type = 'edge'] = [edge].flat() as string[];
  return typeof as === 'string' ? as : isEdge ? type.toLowerCase() : 'node';
};

const mapMembers = (of: unknown, change: (name: string, value: unknown) => unknown) =>
  isObject(of) ? Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(name, value)])) : of;

/** The pattern with other values of its conditions. */
export function mapConditions(pattern: Pattern, change: (value: unknown, place: ConditionPlace) => unknown): Pattern {
  const partWith = (part: unknown, index: number) => {
    if (!isObject(part)) return part;
    const name = partOf(part, index % 2 === 1);
    const filterWith = (filter: unknown) =>
      mapMembers(filter, (property, conditions) =>
        mapMembers(conditions, (operator, value) => change(value, { part: name, property, operator })),
      );
    return mapMembers(part, (member, of) =>
      member === 'filter' ? filterWith(of) : member === 'any' && Array.isArray(of) ? of.map(filterWith) : of,
    );
  };
  const chainsWith = (chains: unknown) =>
    Array.isArray(chains) ? chains.map((chain) => (Array.isArray(chain) ? chain.map(partWith) : chain)) : chains;
  return mapMembers(pattern, (name, value) => (name === 'match' || name === 'without' ? chainsWith(value) : value)) as Pattern;
}

/** The parameter that a value of a condition stands for; null if it is a value. */
const parameterOf = (value: unknown) => (isObject(value) && typeof value.$param === 'string' ? value.$param : null);

/** The pattern with values in place of the parameters that have one there. */
export const fixParameters = (pattern: Pattern, values: Parameters): Pattern =>
  mapConditions(pattern, (value) => {
    const name = parameterOf(value);
    return name !== null && Object.hasOwn(values, name) ? values[name] : value;
  });

/** The parameters at each place, in their order; null for a value that is fixed. */
function parametersByPlace(pattern: Pattern): Map<string, (string | null)[]> {
  const found = new Map<string, (string | null)[]>();
  mapConditions(pattern, (value, { part, property, operator }) => {
    const place = JSON.stringify([part, property, operator]);
    found.set(place, [...(found.get(place) ?? []), parameterOf(value)]);
    return value;
  });
  return found;
}

/**
 * The settings of an earlier pattern's parameters for those of another pattern, by the condition that they stand in: names say nothing, as
 * they move when a condition goes. Where it is uncertain which condition was which, there are none.
 */
export function settingsByCondition(
  pattern: Pattern,
  earlier: Pattern,
  settings: Record<string, ParameterSettings>,
): Record<string, ParameterSettings> {
  const before = parametersByPlace(earlier);
  const found: Record<string, ParameterSettings> = {};
  for (const [place, names] of parametersByPlace(pattern)) {
    const then = before.get(place);
    if (then?.length !== names.length) continue;
    names.forEach((name, i) => {
      const old = then[i]!;
      if (name === null) return;
      if (old === null) found[name] = { ...newParameter, source: 'fixed' };
      else if (Object.hasOwn(settings, old)) found[name] = settings[old]!;
    });
  }
  return found;
}
