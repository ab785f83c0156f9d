// Conditions on properties and the order of a list, in the form of the API's parameters, which the URL has too.
import type { PropertyUse } from '../api/graph';
import { bodyText, parseExact } from '../api/json';
import { cellText } from '../values/text';
import { areNumbers, kindNames, kinds, type Kind, type Scalar } from '../values/value';

export const operators = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'contains',
  'icontains',
  'starts_with',
  'ends_with',
  'has',
  'in',
  'nin',
  'exists',
] as const;
export type Operator = (typeof operators)[number];

export interface Condition {
  property: string;
  operator: Operator;
  /** The kind of the value; with null the service infers it from the text. */
  kind: Kind | null;
  text: string;
  /** The number of the alternative that it belongs to, of which one must hold; without it, it must hold in any case. */
  any?: number;
}

export const operatorLabels: Record<Operator, string> = {
  eq: 'is',
  ne: 'is not',
  lt: 'is less than',
  lte: 'is at most',
  gt: 'is more than',
  gte: 'is at least',
  contains: 'contains',
  icontains: 'contains (ignore case)',
  starts_with: 'starts with',
  ends_with: 'ends with',
  has: 'has item',
  in: 'is any of',
  nin: 'is none of',
  exists: 'is set',
};
const operatorSigns: Partial<Record<Operator, string>> = {
  eq: '=',
  ne: '≠',
  lt: '<',
  lte: '≤',
  gt: '>',
  gte: '≥',
  icontains: 'contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  in: 'any of',
  nin: 'none of',
};

// A literal names its type, because the text alone may be ambiguous.
const kindsBySuffix = new Map(kinds.toReversed().map((kind) => [kindNames[kind], kind]));

const textOperators: Operator[] = ['contains', 'icontains', 'starts_with', 'ends_with', 'eq', 'ne', 'lt', 'gt', 'in', 'nin', 'exists'];
const orderedOperators: Operator[] = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'nin', 'exists'];
const equalityOperators: Operator[] = ['eq', 'ne', 'exists'];

/** The operators for a property, the most common first, and the kind of its values: null if the kinds differ. */
export function filterOptions(use: PropertyUse | undefined): { operators: Operator[]; kind: Kind | null } {
  const types = use?.types ?? [];
  // The service compares integers with floats as numbers.
  const type = types.length === 1 ? types[0]! : areNumbers(types) ? 'Float' : '';
  const member = /^List<(.+)>$/.exec(type)?.[1];
  if (member !== undefined) return { operators: ['has', 'exists'], kind: kindOrString(member) };
  const kind = kindOrString(type);
  if (type === '') return { operators: [...new Set([...textOperators, ...orderedOperators])], kind: null };
  if (kind === 'String') return { operators: textOperators, kind };
  if (['Boolean', 'Point', 'Duration', 'Base64'].includes(kind)) return { operators: equalityOperators, kind };
  return { operators: orderedOperators, kind };
}

const kindOrString = (name: string): Kind => ((kinds as readonly string[]).includes(name) ? (name as Kind) : 'String');

/** Whether the operator compares with several values, separated by commas or as a JSON array. */
export const comparesWithList = (operator: Operator) => operator === 'in' || operator === 'nin';

/** Whether the operator compares with a part of a text: every text matches an empty part. */
export const comparesWithPart = (operator: Operator) => ['contains', 'icontains', 'starts_with', 'ends_with'].includes(operator);

/** The values of a condition that compares with several, as the service reads them. */
export function parseValues(text: string): Scalar[] {
  if (!text.trim().startsWith('['))
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(inferScalar);
  try {
    const values = parseExact(text);
    return Array.isArray(values) ? (values as Scalar[]) : [];
  } catch {
    return [];
  }
}

// The JSON number grammar: 007 is a text.
const numberShape = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** The value of a text without a type, as the service reads it. */
export function inferScalar(text: string): Scalar {
  if (text === 'true' || text === 'false') return text === 'true';
  return numberShape.test(text) ? (parseExact(text) as Scalar) : text;
}

export const serializeValues = (values: Scalar[]) => bodyText(values);

/** The condition as a query parameter. */
export function filterParam(c: Condition): [string, string] {
  const typed = c.operator !== 'exists' && !comparesWithList(c.operator) && c.kind !== null;
  const prefix = c.any ? `any[${c.any}]` : 'filter';
  return [`${prefix}[${c.property}][${c.operator}${typed ? `:${kindNames[c.kind!]}` : ''}]`, c.text];
}

function parseCondition(key: string, text: string): Condition | null {
  const [, any, property, operator, suffix] = /^(?:filter|any\[([1-9]|1\d|20)\])\[(.*)\]\[([a-z_]+)(?::([a-z0-9]+))?\]$/s.exec(key) ?? [];
  if (property === undefined || !(operators as readonly string[]).includes(operator ?? '')) return null;
  if (suffix !== undefined && !kindsBySuffix.has(suffix)) return null;
  const kind = suffix === undefined ? null : (kindsBySuffix.get(suffix) ?? null);
  return { property, operator: operator as Operator, kind, text, ...(any === undefined ? {} : { any: Number(any) }) };
}

/** Parses the conditions of a URL; ignores other parameters. */
export function parseConditions(params: URLSearchParams): Condition[] {
  return [...params].flatMap(([key, text]) => parseCondition(key, text) ?? []);
}

/** The parameters of a URL that are filters which this page does not know. */
export function unknownFilters(params: URLSearchParams): string[] {
  return [...params].flatMap(([key, text]) =>
    /^(filter|any)\b/.test(key) && parseCondition(key, text) === null ? [`${key}=${text}`] : [],
  );
}

/** Replaces a condition, or removes it; the others stay. It may be gone already since the conditions were as rendered. */
export function replaceCondition(conditions: Condition[], rendered: Condition[], old: Condition, ...by: Condition[]): Condition[] {
  const same = (all: Condition[]) => all.filter((c) => isSameCondition(c, old)).length;
  const alternatives = (all: Condition[]) => splitAlternatives(all).alternatives.length;
  // Removing an alternative renumbers those after it, so that a number no longer stands for the same alternative.
  const isGone = same(conditions) < same(rendered) || (old.any !== undefined && alternatives(conditions) < alternatives(rendered));
  const place = isGone ? -1 : conditions.findIndex((c) => isSameCondition(c, old));
  return place < 0 ? conditions : settled(conditions.toSpliced(place, 1, ...by));
}

const isSameCondition = (a: Condition, b: Condition) =>
  a.property === b.property && a.operator === b.operator && a.kind === b.kind && a.text === b.text && a.any === b.any;

/** The conditions that must hold in any case, and the alternatives of which one must hold, in the order of their numbers. */
export function splitAlternatives(conditions: Condition[]): { always: Condition[]; alternatives: Condition[][] } {
  const numbers = [...new Set(conditions.flatMap(({ any }) => any ?? []))].sort((a, b) => a - b);
  return {
    always: conditions.filter(({ any }) => !any),
    alternatives: numbers.map((number) => conditions.filter(({ any }) => any === number)),
  };
}

/** The conditions with alternatives numbered from 1 on: what is left of several is none. */
function settled(conditions: Condition[]): Condition[] {
  const { always, alternatives } = splitAlternatives(conditions);
  const numbered = alternatives.flatMap((some, i) => some.map((c) => withAny(c, alternatives.length > 1 ? i + 1 : 0)));
  return alternatives.length === 0 ? conditions : [...always, ...numbered];
}

function withAny({ any: _, ...condition }: Condition, number: number): Condition {
  return number === 0 ? condition : { ...condition, any: number };
}

/** A place for a new condition among others, and the conditions with it there. */
export interface Place {
  label: string;
  add: (now: Condition[], added: Condition) => Condition[];
}

/** Where a condition can be added: it holds in any case, or is an alternative, or a part of one. The first is the usual one. */
export function placesFor(conditions: Condition[]): Place[] {
  const { always, alternatives } = splitAlternatives(conditions);
  const numbers = conditions.map(({ any }) => any ?? 0);
  const as = (label: string, any: number): Place => ({ label, add: (now, added) => settled([...now, withAny(added, any)]) });
  const places = [as('and', 0)];
  if (alternatives.length > 0) {
    places.push(as(`or, beside ${formatAlternatives(alternatives)}`, Math.max(...numbers) + 1));
    for (const some of alternatives) places.push(as(`and, together with ${formatAll(some)}`, some[0]!.any!));
    return places;
  }
  for (const c of always)
    places.push({
      label: `or, beside ${formatCondition(c)}`,
      add: (now, added) => settled([...replaceCondition(now, conditions, c), withAny(c, 1), withAny(added, 2)]),
    });
  return places;
}

const formatAll = (conditions: Condition[]) => conditions.map(formatCondition).join(' and ');
const formatAlternatives = (alternatives: Condition[][]) => alternatives.map(formatAll).join(' or ');

/** All conditions as texts for users, the alternatives as one. */
export function formatConditions(conditions: Condition[]): string[] {
  const { always, alternatives } = splitAlternatives(conditions);
  return [...always.map(formatCondition), ...(alternatives.length > 0 ? [formatAlternatives(alternatives)] : [])];
}

/** The condition as text for users. */
export function formatCondition(c: Condition): string {
  if (c.operator === 'exists') return `${c.property} ${c.text === 'false' ? 'is not set' : 'is set'}`;
  if (comparesWithList(c.operator))
    return `${c.property} ${operatorSigns[c.operator]} ${parseValues(c.text)
      .map((value) => (typeof value === 'string' ? `"${value}"` : cellText(value)))
      .join(', ')}`;
  return `${c.property} ${operatorSigns[c.operator] ?? c.operator} ${formatOperand(c)}`;
}

function formatOperand({ kind, text }: Condition): string {
  if (kind === 'String') return `"${text}"`;
  return kind === 'Point' ? cellText({ $type: 'Point', _value: text }) : text;
}

export interface Order {
  property: string;
  descending: boolean;
}

/** The most keys that the service sorts by. */
export const maxSortKeys = 4;

// Names that do not match need the JSON form, because the short form is ambiguous for them.
const shortFormName = /^[^+\-,[\s][^,]*$/;

export function serializeSort(orders: Order[]): string {
  const sign = ({ descending }: Order, ascending: string) => (descending ? '-' : ascending);
  if (orders.every((order) => shortFormName.test(order.property))) return orders.map((order) => sign(order, '') + order.property).join(',');
  return JSON.stringify(orders.map((order) => sign(order, '+') + order.property));
}

/** Parses the parameter sort: the keys, the most significant first. */
export function parseSort(text: string): Order[] {
  let keys: unknown = text.split(',');
  if (text.startsWith('[')) {
    try {
      keys = JSON.parse(text);
    } catch {
      return [];
    }
  }
  if (!Array.isArray(keys)) return [];
  return keys.flatMap((key) => {
    if (typeof key !== 'string' || key === '') return [];
    const signed = key.startsWith('-') || key.startsWith('+');
    return [{ property: signed ? key.slice(1) : key, descending: key.startsWith('-') }];
  });
}

/** The order after a click on a column: by it alone, ascending, descending, then none. */
export function nextSort(now: string, property: string): string {
  const [first, ...others] = parseSort(now);
  if (first?.property !== property || others.length > 0) return serializeSort([{ property, descending: false }]);
  return first.descending ? '' : serializeSort([{ property, descending: true }]);
}

/** The order after a click that adds a column: as a further key, ascending, descending, then without it. With all keys in use it stays. */
export function addSort(now: string, property: string): string {
  const orders = parseSort(now);
  const key = orders.find((order) => order.property === property);
  if (!key) return orders.length < maxSortKeys ? serializeSort([...orders, { property, descending: false }]) : now;
  if (key.descending) return serializeSort(orders.filter((order) => order !== key));
  return serializeSort(orders.map((order) => (order === key ? { property, descending: true } : order)));
}
