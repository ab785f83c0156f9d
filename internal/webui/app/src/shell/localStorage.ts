// What the interface keeps in this browser, as JSON. Storage may be disabled, full, or hold what another version of the interface wrote:
// readers check what they get.
import { storedAs } from '../api/address';

/** The stored value; null if there is none, or if it is no JSON. */
export function readLocal(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(storedAs(key)) ?? 'null') as unknown;
  } catch {
    return null;
  }
}

/** The members of a stored object; none if it is something else. The object has no prototype, since its keys are names of users' types. */
export function readLocalRecord<T>(key: string): Record<string, T> {
  const read = readLocal(key);
  const isRecord = typeof read === 'object' && read !== null && !Array.isArray(read);
  return Object.assign(Object.create(null) as Record<string, T>, isRecord ? read : {});
}

/** Stores a value. Returns false if the browser does not: then it lasts until the page is reloaded. */
export function writeLocal(key: string, value: unknown): boolean {
  try {
    localStorage.setItem(storedAs(key), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}
