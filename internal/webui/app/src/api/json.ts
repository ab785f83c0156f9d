// Lossless JSON. Property values may be 64-bit integers, which a JavaScript number rounds: an integer is parsed to a bigint and
// written as digits; any other number is a float and is written with a fraction or an exponent, so that 1.0 stays a float.
import { parse, stringify, type NumberStringifier } from 'lossless-json';

const integer = /^-?\d+$/;

function parseNumber(text: string): bigint | number {
  return integer.test(text) ? BigInt(text) : Number(text);
}

/** Parses JSON; every integer becomes a bigint. */
export function parseExact(text: string): unknown {
  return parse(text, null, parseNumber);
}

// Objects that have property values: of nodes and edges, of users, of the conditions of roles, and of declarations. The array groups of an
// aggregate has them too.
const valueMembers = ['properties', 'attributes', 'where', 'schema'];

/** Parses a response: integers below an object of property values become bigints, all others (counts, limits) numbers. */
export function parseAnswer(text: string): unknown {
  return narrowIntegers(parseExact(text), false);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function narrowIntegers(value: unknown, exact: boolean): unknown {
  if (typeof value === 'bigint') return exact ? value : Number(value);
  if (Array.isArray(value)) return value.map((item) => narrowIntegers(item, exact));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      narrowIntegers(member, exact || key === 'groups' || (valueMembers.includes(key) && isObject(member))),
    ]),
  );
}

/** Returns the shortest text that parses to the same float. */
export function floatText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

const floatStringifier: NumberStringifier = {
  test: (value) => typeof value === 'number',
  stringify: (value) => floatText(value as number),
};

/** Serializes a request body: bigints as integers, numbers as floats. */
export function bodyText(value: unknown, space?: number): string {
  return stringify(value, undefined, space, [floatStringifier]) ?? 'null';
}

/** A count or a limit of a request: the serializer writes integers only for bigints. */
export function integerOf(value: number): number {
  return BigInt(value) as unknown as number;
}
