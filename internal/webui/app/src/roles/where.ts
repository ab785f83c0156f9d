// The conditions of a grant as rows of a form. A row has a condition as in the filters of lists, or refers to a value of the user.
import { bodyText, parseExact } from '../api/json';
import { filterOptions, operators, comparesWithList, type Condition, type Operator } from '../explore/filters';
import type { PropertyUse } from '../api/graph';
import { draftOf, parseDraft } from '../values/draft';
import { isTagged, kindOf, kinds, type Kind, type Scalar, type Value } from '../values/value';

export interface WhereRow extends Condition {
  key: number; // stable while the form is open
  /** The value of the user that the property is compared with: "username", "id" or "attributes." and a name; null for a literal. */
  user: string | null;
}

/** The where of a grant: {property: {operator: value}}. */
export type Where = Record<string, Record<string, unknown>>;

let nextKey = 0;

export const attributePrefix = 'attributes.';

const textOperators: Operator[] = ['contains', 'icontains', 'starts_with', 'ends_with'];

export function newWhereRow(property = ''): WhereRow {
  return { key: nextKey++, property, operator: 'eq', kind: null, text: '', user: null };
}

/** The operators that a row offers. A property that the data does not have may be compared in every way. */
export function operatorsFor(row: WhereRow, use: PropertyUse | undefined): Operator[] {
  const offered = use ? filterOptions(use).operators : [...operators];
  const fitting = row.user === null ? offered : offered.filter((operator) => operator !== 'exists');
  return fitting.includes(row.operator) ? fitting : [row.operator, ...fitting];
}

/** The row for another property: the kind of the value is that of the property, if the data has it; else the form asks for it. */
export function withProperty(row: WhereRow, property: string, use: PropertyUse | undefined): WhereRow {
  if (!use) return { ...row, property, kind: row.text === '' ? null : row.kind };
  const { operators: offered, kind } = filterOptions(use);
  const operator = offered.includes(row.operator) ? row.operator : row.text === '' && row.user === null ? offered[0]! : row.operator;
  return { ...row, property, operator, kind };
}

/** Whether the form asks for the kind of the value, because neither the operator nor the data gives it. */
export function needsKind(row: WhereRow, use: PropertyUse | undefined): boolean {
  return (
    row.user === null &&
    row.property !== '' &&
    row.operator !== 'exists' &&
    !textOperators.includes(row.operator) &&
    (use === undefined || filterOptions(use).kind === null)
  );
}

/** Parses the where of a grant. */
export function whereRows(where: Where): WhereRow[] {
  return Object.entries(where).flatMap(([property, conditions]) =>
    Object.entries(conditions).map(([operator, value]) => ({
      ...newWhereRow(property),
      operator: operator as Operator,
      ...literalOf(operator as Operator, value),
    })),
  );
}

function literalOf(operator: Operator, value: unknown): Pick<WhereRow, 'kind' | 'text' | 'user'> {
  const reference = userReference(value);
  if (reference !== null) return { kind: null, text: '', user: reference };
  const literal = { kind: null, user: null };
  if (operator === 'exists') return { ...literal, text: String(value) };
  if (Array.isArray(value)) return { user: null, ...listLiteral(operator, value as Scalar[]) };
  if (!isScalar(value) || (isTagged(value) && !(kinds as readonly string[]).includes(value.$type)))
    return { ...literal, text: bodyText(value) };
  return { user: null, kind: kindOf(value), text: draftOf(value).texts[0]! };
}

// A list is written with commas if every value is of one kind and has none; else as JSON.
function listLiteral(operator: Operator, values: Scalar[]): { kind: Kind | null; text: string } {
  const asJson = { kind: null, text: bodyText(values) };
  if (!comparesWithList(operator) || values.length === 0 || !values.every(isScalar)) return asJson;
  const kind = kindOf(values[0]!);
  const texts = draftOf(values).texts;
  const plain =
    values.every((value) => kindOf(value) === kind) && texts.every((text) => text !== '' && text === text.trim() && !/[,[]/.test(text));
  return plain ? { kind, text: texts.join(', ') } : asJson;
}

function userReference(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { $user } = value as { $user?: unknown };
  return typeof $user === 'string' && Object.keys(value).length === 1 ? $user : null;
}

const isScalar = (value: unknown): value is Scalar => ['string', 'boolean', 'bigint', 'number'].includes(typeof value) || isTagged(value);

export type ParsedCondition = { value: unknown } | { error: string };

/** The value of a row in the where of a grant. */
export function parseCondition(row: WhereRow): ParsedCondition {
  if (row.property === '') return { error: 'A condition needs a property' };
  if (row.user !== null) return row.user === attributePrefix ? { error: 'Name the attribute' } : { value: { $user: row.user } };
  if (row.operator === 'exists') return { value: row.text !== 'false' };
  const kind = textOperators.includes(row.operator) ? 'String' : row.kind;
  if (comparesWithList(row.operator)) return parseList(kind, row.text);
  if (kind === 'Boolean') return { value: row.text !== 'false' };
  return parseOne(kind, row.text);
}

function parseOne(kind: Kind | null, text: string): ParsedCondition {
  return kind === null ? inferValue(text) : parseDraft({ kind, list: false, texts: [text] });
}

function parseList(kind: Kind | null, text: string): ParsedCondition {
  if (text.trim().startsWith('[')) return inferValue(text);
  const values: unknown[] = [];
  for (const part of text.split(',').map((each) => each.trim())) {
    const parsed = part === '' ? { error: 'Write values, separated by commas' } : parseOne(kind, part);
    if ('error' in parsed) return parsed;
    values.push(parsed.value);
  }
  return { value: values };
}

// The JSON number grammar: 007 is a text, as in the filters of lists.
const numberShape = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Infers the kind of a value from its text, as the service does for the filters of lists. */
function inferValue(text: string): ParsedCondition {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return { value: trimmed === 'true' };
  if (!numberShape.test(trimmed) && !/^["[{]/.test(trimmed)) return { value: text };
  try {
    return { value: parseExact(trimmed) as Value };
  } catch (error) {
    return { error: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}
