// What the service says about the caller's request limit, from the headers of its last answer.
import { useSyncExternalStore } from 'react';

export interface Rate {
  limit: number;
  remaining: number;
  resetsAt: number; // milliseconds of the local clock
}

let rate: Rate | null = null;
const listeners = new Set<() => void>();

export function noteRate(headers: Headers) {
  const limit = headers.get('X-RateLimit-Limit');
  const remaining = headers.get('X-RateLimit-Remaining');
  if (limit === null || remaining === null) return;
  rate = {
    limit: Number(limit),
    remaining: Number(remaining),
    resetsAt: Date.now() + Number(headers.get('X-RateLimit-Reset') ?? 0) * 1000,
  };
  for (const listener of listeners) listener();
}

export function useRate(): Rate | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => rate,
  );
}
