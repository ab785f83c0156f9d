import { CancelledError } from '@tanstack/react-query';

/** An error response of the service, or a failure to get a response. */
export class Problem extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly details: { field: string; message: string }[] = [],
    readonly requestId = '',
    readonly retryAfter = 0,
    /** What stands in the way, if the service lists it: the meta.conflicts of its answer. */
    readonly conflicts: unknown[] = [],
  ) {
    super(message);
    this.name = 'Problem';
  }

  /** The text for users: the message with the invalid fields. */
  get text(): string {
    const details = this.details.map((d) => (d.field ? `${d.field}: ${d.message}` : d.message));
    const wait = this.retryAfter > 0 ? ` Try again in ${formatWait(this.retryAfter)}.` : '';
    return [this.message, ...details].join('; ') + (wait && !this.message.endsWith('.') ? `.${wait}` : wait);
  }

  field(name: string): string | undefined {
    return this.details.find((d) => d.field === name)?.message;
  }
}

function formatWait(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const aborted = error instanceof DOMException && error.name === 'AbortError';
  if (aborted || error instanceof CancelledError) return new Problem('ABORTED', 'Canceled', 0);
  if (error instanceof TypeError) return new Problem('UNREACHABLE', 'The service cannot be reached', 0);
  return new Problem('UNEXPECTED', error instanceof Error ? error.message : String(error), 0);
}

/** Reads the error body that every error response of the service has; a proxy may send another body. */
export function problemFromResponse(response: Response, body: unknown): Problem {
  const { error, meta } = (body ?? {}) as {
    error?: { code?: string; message?: string; details?: { field: string; message: string }[] };
    meta?: { conflicts?: unknown[] };
  };
  // Without an error body it is the answer of a proxy that does not reach the service.
  const isUnreachable = !error && [502, 503, 504].includes(response.status);
  return new Problem(
    error?.code ?? (isUnreachable ? 'UNREACHABLE' : 'UNEXPECTED'),
    error?.message ?? (isUnreachable ? 'The service cannot be reached' : `The service answered ${response.status}`),
    response.status,
    error?.details ?? [],
    response.headers.get('X-Request-ID') ?? '',
    Number(response.headers.get('Retry-After') ?? 0) || 0,
    meta?.conflicts ?? [],
  );
}
