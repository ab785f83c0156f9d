// Whether the service or its database is unavailable at the moment. Requests report that they have failed; then the service is asked
// until it is ready, so that what could not be read is read as soon as possible.
import { useSyncExternalStore } from 'react';
import { addressOf } from './address';

export interface Outage {
  part: 'service' | 'database';
  since: number; // milliseconds of the local clock
}

// Milliseconds between two questions whether the service is ready, and until one without an answer counts as failed.
const minPause = 2000;
const maxPause = 15_000;
const answerTimeout = 10_000;

let outage: Outage | null = null;
let pause = minPause;
let timer: ReturnType<typeof setTimeout> | undefined;
let asking: Promise<void> | null = null;
const listeners = new Set<() => void>();

function update(next: Outage | null) {
  outage = next;
  for (const listener of listeners) listener();
}

/** What is not ready; null if nothing. A proxy may not publish /readyz: any answer but that of a failure is one of the service. */
async function findUnready(): Promise<Outage['part'] | null> {
  try {
    const response = await fetch(addressOf('/readyz'), { signal: AbortSignal.timeout(answerTimeout) });
    if (response.status === 503) return (await response.text()).includes('shutting down') ? 'service' : 'database';
    return response.status === 502 || response.status === 504 ? 'service' : null;
  } catch {
    return 'service';
  }
}

async function ask() {
  clearTimeout(timer);
  const part = await findUnready();
  asking = null;
  if (part === null) {
    pause = minPause;
    if (outage) update(null);
    return;
  }
  if (outage?.part !== part) update({ part, since: outage?.since ?? Date.now() });
  timer = setTimeout(() => void checkReady(), pause);
  pause = Math.min(pause * 1.5, maxPause);
}

/** Asks the service whether it is ready, and again until it is. Resolves with the first answer. */
export const checkReady = (): Promise<void> => (asking ??= ask());

/** Waits for the response of a request. One that fails for lack of the service or its database begins an outage, if that is so. */
export async function watchOutage(request: Promise<Response>): Promise<Response> {
  const check = () => void (outage ?? checkReady());
  try {
    const response = await request;
    if ([502, 503, 504].includes(response.status)) check();
    return response;
  } catch (error) {
    if (error instanceof TypeError) check();
    throw error;
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Calls a function at the end of each outage. */
export function onOutageEnd(end: () => void) {
  let before = outage;
  return subscribe(() => {
    if (before && !outage) end();
    before = outage;
  });
}

/** Resolves when there is no outage. */
async function waitForEnd(): Promise<void> {
  if (!outage) return;
  await new Promise<void>((resolve) => {
    const stop = onOutageEnd(() => {
      stop();
      resolve();
    });
  });
}

/** The outage at the moment; null if there is none. */
export const currentOutage = (): Outage | null => outage;

export const useOutage = (): Outage | null => useSyncExternalStore(subscribe, currentOutage);

/** Loads a part of the interface. If that fails, it is tried once more as soon as the service is ready. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await checkReady();
    await waitForEnd();
    // Vite requests the styles of a part only if the page has no element for them.
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) if (!link.sheet) link.remove();
    return load();
  }
}
