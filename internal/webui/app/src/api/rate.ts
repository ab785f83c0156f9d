// The user's request limit, from the headers of the last response.
import { useSyncExternalStore } from 'react';

export interface RateLimit {
  limit: number;
  remaining: number;
  resetsAt: number; // milliseconds of the local clock
}

let rateLimit: RateLimit | null = null;
const listeners = new Set<() => void>();

export function recordRateLimit(headers: Headers) {
  const limit = headers.get('X-RateLimit-Limit');
  const remaining = headers.get('X-RateLimit-Remaining');
  if (limit === null || remaining === null) return;
  rateLimit = {
    limit: Number(limit),
    remaining: Number(remaining),
    resetsAt: Date.now() + Number(headers.get('X-RateLimit-Reset') ?? 0) * 1000,
  };
  for (const listener of listeners) listener();
}

export function useRateLimit(): RateLimit | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => rateLimit,
  );
}
