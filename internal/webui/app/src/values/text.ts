// Values as text for users.
import { floatText } from '../api/json';
import { isTagged, type Properties, type Scalar, type Value } from './value';

const invisibleCharacters = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Replaces characters that are invisible or reverse the text direction with their escapes. */
export function escapeInvisible(text: string): string {
  return text.replace(invisibleCharacters, (c) => (c === '\n' || c === '\t' ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

function scalarText(value: Scalar): string {
  if (typeof value === 'number') return floatText(value);
  if (isTagged(value)) return value._value;
  return String(value);
}

export function valueText(value: Value | undefined): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return `[${value.map((item) => (typeof item === 'string' ? JSON.stringify(item) : scalarText(item))).join(', ')}]`;
  return scalarText(value);
}

// Properties that name an entity, the best first; any other text property is better than an id.
const nameProperties = ['name', 'title', 'label', 'username', 'caption', 'email', 'code', 'key', 'id'];

/** The sort rank of a property: naming properties first, all others equal. */
export function nameRank(property: string): number {
  const index = ['name', 'title', 'label'].indexOf(property);
  return index < 0 ? 3 : index;
}

/** The names of properties in display order. */
export function sortedNames(properties: Properties): string[] {
  return Object.keys(properties).sort((a, b) => nameRank(a) - nameRank(b) || a.localeCompare(b));
}

/** The caption of a node: the property set for its type, a naming property, the first text, or the end of its id. */
export function captionOf(properties: Properties, id: string, preferred?: string): string {
  const named = [...(preferred ? [preferred] : []), ...nameProperties].find((key) => has(properties, key));
  const key = named ?? Object.keys(properties).find((k) => typeof properties[k] === 'string');
  const text = key === undefined ? '' : valueText(properties[key]).trim();
  return escapeInvisible(text === '' ? shortId(id) : text.length > 120 ? `${text.slice(0, 117)}...` : text);
}

function has(properties: Properties, key: string): boolean {
  return Object.hasOwn(properties, key) && !Array.isArray(properties[key]);
}

/** The end of an id, because UUIDv7 share their beginnings. */
export function shortId(id: string): string {
  return id.length <= 12 ? id : `…${id.slice(-8)}`;
}

const numberFormat = new Intl.NumberFormat('en');
export function formatCount(n: number): string {
  return numberFormat.format(n);
}

/** "1 edge", "2 edges". */
export function pluralize(n: number, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}
