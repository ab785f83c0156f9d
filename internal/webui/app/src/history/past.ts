// Which states of an entity its history compares, and their form in the URL.
import type { PanelTab } from '../explore/url';
import { formatTime } from '../values/text';

/** Two states of an entity. */
export interface Past {
  /** A time, or the id of a change: the state right after it. */
  at: string;
  /** The state to compare with; empty for the present one. */
  until: string;
}

/** The states that a tab compares; null for one that does not. */
export function parsePast(tab: PanelTab): Past | null {
  if (!tab.startsWith('history:')) return null;
  const [at = '', until = ''] = tab.slice('history:'.length).split('..');
  return at === '' ? null : { at, until };
}

export const pastTab = (past: Past | null): PanelTab => (past ? `history:${past.at}${past.until ? `..${past.until}` : ''}` : 'history');

const isTime = (at: string) => at.includes('T') && Number.isFinite(Date.parse(at));

/** A time as a field of local date and time shows it; empty for another text. */
export function localTime(at: string): string {
  if (!isTime(at)) return '';
  const time = new Date(at);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** A time in words; of the state after a change whose time is not known, "then". */
export const timeInWords = (at: string): string => (isTime(at) ? formatTime(at) : 'then');

/** The time of a field; empty if it is not complete. */
export const timeOf = (field: string): string => (isTime(field) ? new Date(field).toISOString() : '');
