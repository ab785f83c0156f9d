// Values as text for users.
import { floatText } from '../api/json';
import { isTagged, type Properties, type Scalar, type Value } from './value';

const invisibleCharacters = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

// In these scripts and in emoji a joiner or non-joiner between two characters belongs to the spelling. Elsewhere it is invisible, so that
// two names would look alike.
const joinable = `[${[
  ...'Arab Syrc Mong Nkoo Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'
    .split(' ')
    .map((script) => `\\p{Script=${script}}`),
  '\\p{Extended_Pictographic}\\p{Emoji_Modifier}',
].join('')}]`;
const endsJoinable = new RegExp(`${joinable}[\\p{Mn}\\ufe0f]*$`, 'u');
const beginsJoinable = new RegExp(`^${joinable}`, 'u');

const isSpelling = (text: string, at: number) =>
  (text[at] === '\u200c' || text[at] === '\u200d') &&
  endsJoinable.test(text.slice(Math.max(0, at - 8), at)) &&
  beginsJoinable.test(text.slice(at + 1, at + 3));

/** Replaces characters that are invisible or reverse the text direction with their escapes. */
export function escapeInvisible(text: string): string {
  return text.replace(invisibleCharacters, (c, at: number) =>
    c === '\n' || c === '\t' || isSpelling(text, at) ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function scalarText(value: Scalar): string {
  if (typeof value === 'number') return floatText(value);
  if (isTagged(value)) return value._value;
  return String(value);
}

export function valueText(value: Value | undefined): string {
  if (value === undefined) return '';
  if (Array.isArray(value))
    return `[${value.map((item) => (typeof item === 'string' ? JSON.stringify(item) : scalarText(item))).join(', ')}]`;
  return scalarText(value);
}

/** A value as it is shown: the coordinates of a point without the usual coordinate system, WGS 84, which would take their room. */
export function cellText(value: Value): string {
  return valueText(value).replace(/(^|[[ ])SRID=4326;POINT \(/g, isPoint(value) ? '$1POINT (' : '$&');
}

const isPoint = (value: Value) => (Array.isArray(value) ? value : [value]).some((each) => isTagged(each) && each.$type === 'Point');

// Properties that name an entity, the best first.
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

/** The caption of a node: the property set for its type, or as the service chooses it, or the end of its id. */
export function captionOf(properties: Properties, id: string, preferred?: string): string {
  const set =
    preferred !== undefined && Object.hasOwn(properties, preferred) && !Array.isArray(properties[preferred])
      ? shortenCaption(valueText(properties[preferred]))
      : '';
  return captionOrId(set || chosenCaption(properties), id);
}

/** A caption of the service, or the end of the id. */
export function captionOrId(caption: string | null | undefined, id: string): string {
  return escapeInvisible(caption || shortId(id));
}

/** Properties that may name an entity sort by this text, the best first. */
export function namingRank(key: string): string {
  const name = key.toLowerCase();
  const index = nameProperties.indexOf(name);
  return (index >= 0 ? String(index) : name.endsWith('name') || name.endsWith('title') ? 'n' : 't') + key;
}

/** Whether a property with values of these types may name an entity. */
export const isNamingType = (key: string, types: string[]) =>
  types.includes('String') || (types.includes('Integer') && nameProperties.includes(key.toLowerCase()));

/** The caption by the rule of the service (docs/lists.md, ends=caption); null if no property names the entity. */
export function chosenCaption(properties: Properties): string | null {
  const isNaming = (key: string) =>
    typeof properties[key] === 'string' || (typeof properties[key] === 'bigint' && nameProperties.includes(key.toLowerCase()));
  const [key] = Object.keys(properties)
    .filter((k) => isNaming(k) && valueText(properties[k]).trim() !== '')
    .sort((a, b) => (namingRank(a) < namingRank(b) ? -1 : 1));
  return key === undefined ? null : shortenCaption(valueText(properties[key]));
}

function shortenCaption(text: string): string {
  const characters = [...text.trim()];
  return characters.length > 120 ? `${characters.slice(0, 117).join('')}...` : characters.join('');
}

/** The end of an id, because UUIDv7 share their beginnings. */
export function shortId(id: string): string {
  return id.length <= 12 ? id : `…${id.slice(-8)}`;
}

const timeFormat = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium' });
const clockFormat = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short' });

/** The hours and minutes of a time, in milliseconds. */
export const formatClock = (at: number): string => clockFormat.format(at);
/** A time of the API as local date and time. */
export function formatTime(at: string): string {
  return timeFormat.format(new Date(at));
}

const numberFormat = new Intl.NumberFormat('en');
export function formatCount(n: number): string {
  return numberFormat.format(n);
}

/** "1 edge", "2 edges". */
export function pluralize(n: number, one: string, many = `${one}s`): string {
  return `${formatCount(n)} ${n === 1 ? one : many}`;
}
