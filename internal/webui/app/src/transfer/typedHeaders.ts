// The names of columns with the types of their values, as in the CSV of neo4j-admin's import: "born:date", ":ID", ":LABEL". Of types, bytes
// (in Base64) and json (a value as the service writes it) are ours. docs/import-export.md has the format, which graphrest import reads too.
import { kindNames, type Kind } from '../values/value';

/** The type of a column's values; Json is a value of any type, lists included, in the JSON of the service. */
export type ColumnKind = Kind | 'Json';

const typeNames: Record<ColumnKind, string> = { ...kindNames, Integer: 'int', Base64: 'bytes', Json: 'json' };

const kindsOfTypes = new Map<string, ColumnKind>([
  ...(Object.entries(typeNames) as [ColumnKind, string][]).map(([kind, name]) => [name, kind] as const),
  ['datetime', 'OffsetDateTime'],
  ['long', 'Integer'],
  ['short', 'Integer'],
  ['byte', 'Integer'],
  ['double', 'Float'],
]);

const roles = ['ID', 'LABEL', 'TYPE', 'START_ID', 'END_ID', 'IGNORE'] as const;
export type Role = (typeof roles)[number];

export interface Header {
  name: string;
  kind?: ColumnKind;
  role?: Role;
}

/** Reads the name of a column. What follows a colon and is no type belongs to the name, as in rdf:type: of roles only ids have names. */
export function parseHeader(text: string): Header {
  const quoted = /^"(?:[^"\\]|\\.)*"/.exec(text)?.[0];
  const at = quoted === undefined ? text.replace(/\{.*/s, '').lastIndexOf(':') : quoted.length;
  const rest = text.slice(at);
  const type = rest.slice(1).replace(/\(.*\)$/, '');
  let name = at < 0 ? text : text.slice(0, at);
  const found = roles.find((each) => each === type.replace(/(\([^()]*\))?\{[^{}]*\}$/, '').toUpperCase());
  const role = name === '' || found === 'ID' || found === 'IGNORE' ? found : undefined;
  const kind = kindsOfTypes.get(type.toLowerCase());
  if (quoted !== undefined && (rest === '' || rest.startsWith(':')))
    try {
      name = JSON.parse(quoted) as string;
    } catch {
      return { name: text };
    }
  if (at >= 0 && rest.startsWith(':') && role) return { name, role };
  if (at >= 0 && rest.startsWith(':') && kind) return { name, kind };
  return { name: quoted !== undefined && rest === '' ? name : text };
}

/** Whether a table says by its names what its columns are: one without a type is then text. */
export const hasTypedHeaders = (columns: string[]) =>
  columns.some((column) => column !== reasonColumn && parseHeader(column).role !== undefined);

/** The column that a file of rows that were not imported has besides its own. An import ignores it. */
export const reasonColumn = 'reason:IGNORE';

const unreadType = /:(char|[a-z_-]*(\[\]|\{[^{}]*\})+)?$/i;

/** The columns whose names end in a type that graphrest import reads and this does not: a list, one with options, char, or none. */
export const unreadTypes = (columns: string[]) =>
  hasTypedHeaders(columns) ? columns.filter((c) => unreadType.test(c) && parseHeader(c).name === c) : [];

/** What a spreadsheet takes for the beginning of a cell: of the text, or after a character that divides cells in some country. */
const formula = /(^|[;,|\t\r\n])["'\\\s]*[=+\-@]|^[\t\r]/;

/** Whether a spreadsheet might take a part of a text for a formula. */
export const isFormula = (text: string) => formula.test(text);

/** A dash, one number, or digits in groups: a spreadsheet computes nothing of them, unlike of -1-1 and +49-30-1234. */
const signedNumber = /^[+-](?:[.,]?\d+(?:[ .,]\d+)*(?:[eE][+-]?\d+)?)?$/;

/** Text of which a spreadsheet takes no part for a formula: an apostrophe stands before what would be one. Signed numbers are none. */
export const withApostrophes = (text: string) =>
  signedNumber.test(text) ? text : text.replace(/((?:^|[;,|\t\r\n])["'\\\s]*)(?=[=+\-@])/g, "$1'").replace(/^(?=[\t\r])/, "'");

const escapeCharacter = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON of which no string contains a formula. */
export const withoutFormulas = (json: string) =>
  json.replace(/"(?:[^"\\]|\\.)*"/g, (text) => text.replace(/[;,|]["'\\\s]*[=+\-@]/g, (part) => part.replace(/[=+\-@]$/, escapeCharacter)));

/** The name of a column of a property. */
export function formatHeader(name: string, kind: ColumnKind): string {
  const isPlain = name !== '' && name.trim() === name && !/["':;,|\t\r\n{}()[\]\ufeff]/.test(name) && !isFormula(name);
  const text = isPlain
    ? name
    : `"${JSON.stringify(name)
        .slice(1, -1)
        .replace(/[;,|=+\-@\ufeff]/g, escapeCharacter)}"`;
  return kind === 'String' ? text : `${text}:${typeNames[kind]}`;
}
