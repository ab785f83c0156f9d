// The client of the public API. Its types are generated from docs/openapi; every request of the interface uses it.
import createClient from 'openapi-fetch';
import { session } from '../session/session';
import { applyViewAs } from '../session/viewAs';
import { basePath } from './address';
import { bodyText, parseAnswer } from './json';
import type { paths } from './openapi';
import { watchOutage } from './outage';
import { asProblem, Problem, problemFromResponse } from './problem';
import { recordRateLimit } from './rate';

// Error codes that reject the token, not the request.
const sessionCodes = ['UNAUTHENTICATED', 'INVALID_TOKEN', 'TOKEN_EXPIRED', 'TOKEN_REVOKED'];

/** Sends a request with the session's token. Does not read the response body. */
export async function sendAuthorized(request: Request): Promise<Response> {
  const token = session.token();
  const attempt = request.clone();
  if (token) attempt.headers.set('Authorization', `Bearer ${token}`);
  applyViewAs(attempt);
  const response = await watchOutage(fetch(attempt));
  recordRateLimit(response.headers);
  if (response.status !== 401 || !token) return response;
  const text = await response.text();
  if (!(await waitForLogin(text, token))) return new Response(text, response);
  return sendAuthorized(request);
}

/**
 * Reports whether an error response rejected the token. If so, it waits until the user has logged in again, so that the caller
 * can repeat the request and unsaved work is kept.
 */
export async function waitForLogin(errorBody: string, token: string): Promise<boolean> {
  const code = errorCodeOf(errorBody);
  if (!sessionCodes.includes(code)) return false;
  await session.waitForRenewal(token, code);
  return true;
}

async function sendRequest(request: Request): Promise<Response> {
  const response = await sendAuthorized(request);
  return losslessResponse(response, await response.text());
}

function errorCodeOf(text: string): string {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code ?? '';
  } catch {
    return '';
  }
}

/** A copy of the response whose json() keeps 64-bit integers. */
function losslessResponse(response: Response, text: string): Response {
  const empty = response.status === 204 || response.status === 304;
  const copy = new Response(empty ? null : text, { status: response.status, headers: response.headers });
  copy.headers.set('Content-Length', String(text.length || 1));
  copy.json = () => Promise.resolve(parseAnswer(text));
  return copy;
}

export const client = createClient<paths>({
  baseUrl: (globalThis.location?.origin ?? '') + basePath,
  fetch: sendRequest,
  bodySerializer: (body) => bodyText(body),
});

/** The part of openapi-fetch's result that is used here. */
interface FetchResult<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

export interface ApiResult<T> {
  data: T;
  etag: string;
  /** The id under which a write's changes are recorded. */
  requestId: string;
  /** Of a read of the past: the time of the change that left this state, or else the requested time. */
  asOf: string;
}

/** Returns the data of a call, and what its headers say. Throws a Problem if the call fails. */
export async function unwrap<T>(call: Promise<FetchResult<T>>): Promise<ApiResult<T>> {
  let outcome: FetchResult<T>;
  try {
    outcome = await call;
  } catch (error) {
    throw asProblem(error);
  }
  if (outcome.error !== undefined || !outcome.response.ok) throw problemFromResponse(outcome.response, outcome.error);
  if (outcome.data === undefined) throw new Problem('UNEXPECTED', 'The response is empty', outcome.response.status);
  const { headers } = outcome.response;
  return {
    data: outcome.data,
    etag: headers.get('ETag') ?? '',
    requestId: headers.get('X-Request-ID') ?? '',
    asOf: headers.get('Graphrest-As-Of') ?? '',
  };
}

/** Reports whether the network or the database caused the error, so that a retry may succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof Problem && ['UNREACHABLE', 'DATABASE_UNAVAILABLE'].includes(error.code);
}
