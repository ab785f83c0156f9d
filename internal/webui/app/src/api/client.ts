// The client of the public API. Its types come from docs/openapi; every request of the interface goes through it.
import createClient from 'openapi-fetch';
import { session } from '../session/session';
import { bodyText, parseAnswer } from './json';
import type { paths } from './openapi';
import { asProblem, Problem, problemOf } from './problem';
import { noteRate } from './rate';

// What says that the token, and not the request, is the trouble.
const sessionCodes = ['UNAUTHENTICATED', 'INVALID_TOKEN', 'TOKEN_EXPIRED', 'TOKEN_REVOKED'];

/** Sends a request with the session's token, and leaves the answer's body unread. */
export async function authorized(request: Request): Promise<Response> {
  const token = session.token();
  const attempt = request.clone();
  if (token) attempt.headers.set('Authorization', `Bearer ${token}`);
  const response = await fetch(attempt);
  noteRate(response.headers);
  if (response.status !== 401 || !token) return response;
  const text = await response.text();
  if (!(await loggedInAgain(text, token))) return new Response(text, response);
  return authorized(request);
}

/** Whether a refusal was the token's. If so, it waits until somebody has logged in, so unsaved work is neither lost nor refused. */
export async function loggedInAgain(refusal: string, token: string): Promise<boolean> {
  const code = codeOf(refusal);
  if (!sessionCodes.includes(code)) return false;
  await session.renewed(token, code);
  return true;
}

async function send(request: Request): Promise<Response> {
  const response = await authorized(request);
  return readable(response, await response.text());
}

function codeOf(text: string): string {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code ?? '';
  } catch {
    return '';
  }
}

/** The same answer, whose json() keeps 64-bit integers. */
function readable(response: Response, text: string): Response {
  const empty = response.status === 204 || response.status === 304;
  const copy = new Response(empty ? null : text, { status: response.status, headers: response.headers });
  copy.headers.set('Content-Length', String(text.length || 1));
  copy.json = () => Promise.resolve(parseAnswer(text));
  return copy;
}

export const client = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? '',
  fetch: send,
  bodySerializer: (body) => bodyText(body),
});

/** What openapi-fetch resolves to, as far as it matters here. */
interface Outcome<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

export interface Answer<T> {
  data: T;
  etag: string;
}

/** Waits for an answer, or throws a Problem. */
export async function answer<T>(call: Promise<Outcome<T>>): Promise<Answer<T>> {
  let outcome: Outcome<T>;
  try {
    outcome = await call;
  } catch (error) {
    throw asProblem(error);
  }
  if (outcome.error !== undefined || !outcome.response.ok) throw problemOf(outcome.response, outcome.error);
  if (outcome.data === undefined) throw new Problem('UNEXPECTED', 'The answer is empty', outcome.response.status);
  return { data: outcome.data, etag: outcome.response.headers.get('ETag') ?? '' };
}

/** Whether the network or the database, and not the request, was the trouble: worth another try. */
export function passing(error: unknown): boolean {
  return error instanceof Problem && ['UNREACHABLE', 'DATABASE_UNAVAILABLE'].includes(error.code);
}
