import { escapeInvisible, cellText } from '../values/text';
import type { Value } from '../values/value';

/** The beginning of a value, for lists. */
export function ShortValue({ value }: { value: Value | undefined }) {
  if (value === undefined) return <span className="absent">not set</span>;
  const text = escapeInvisible(cellText(value));
  return <>{text === '' ? <span className="absent">empty text</span> : text.length > 60 ? `${text.slice(0, 57)}…` : text}</>;
}
