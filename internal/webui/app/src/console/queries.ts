// Saved queries and the console: the calls of the API. Cells are values as in values/value.ts.
import { addressOf } from '../api/address';
import { sendAuthorized } from '../api/client';
import { bodyText, integerOf, parseExact } from '../api/json';
import { maxLimit } from '../api/limits';
import { asProblem, problemFromResponse } from '../api/problem';
import type { JSONSchema } from '../declared/check';
import type { Value } from '../values/value';
import { answerOf, type Answer } from './answer';

export type Parameters = Record<string, Value | null>;

/** A parameter of a saved query: a JSON Schema, and where its value comes from. */
export type ParameterSchema = JSONSchema & { default?: Value; description?: string; choices?: string; from?: string };

export interface SavedQuery {
  name: string;
  description: string;
  parameters: Record<string, ParameterSchema>;
}

/** A saved query as administrators define it. */
export interface QueryDefinition extends SavedQuery {
  cypher?: string;
  /** A question in place of the text, as in ask/question.ts. */
  pattern?: Record<string, unknown>;
  /** A time such as 2s; the service answers whole seconds as a number. */
  timeout?: string | bigint;
  max_rows?: number;
  cache_seconds?: number;
  allow?: string[];
}

/** A place in the text of a query, from 1; 0 if it is unknown. */
export interface Place {
  line: number;
  column: number;
}

export interface Remark extends Place {
  severity: 'error' | 'warning';
  message: string;
}

export interface Operator {
  operator: string;
  details?: string;
  estimated_rows?: number;
  children?: Operator[];
}

export interface Explained {
  accepted: boolean;
  remarks: Remark[];
  plan: Operator | null;
}

interface Sent {
  method?: string;
  body?: unknown;
  etag?: string;
  signal?: AbortSignal;
}

export async function send(path: string, { method = 'GET', body, etag, signal }: Sent = {}): Promise<{ body: unknown; etag: string }> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (etag) headers['If-Match'] = etag;
  try {
    const response = await sendAuthorized(
      new Request(location.origin + addressOf(path), { method, headers, signal, ...(body === undefined ? {} : { body: bodyText(body) }) }),
    );
    const text = await response.text();
    const parsed = text.startsWith('{') ? parseExact(text) : undefined;
    if (!response.ok) throw problemFromResponse(response, parsed);
    return { body: parsed, etag: response.headers.get('ETag') ?? '' };
  } catch (error) {
    throw asProblem(error);
  }
}

const dataOf = <T>(sent: { body: unknown }) => (sent.body as { data: T }).data;

/** Runs a query of the console. Aborting the signal ends it in the database. */
export async function runCypher(cypher: string, parameters: Parameters, signal: AbortSignal): Promise<Answer> {
  return answerOf((await send('/api/query', { method: 'POST', body: { cypher, parameters }, signal })).body);
}

/** Asks what the database would do with a query, and whether it may run. Errors in the text are remarks. */
export async function explainCypher(cypher: string, parameters: Parameters, signal?: AbortSignal): Promise<Explained> {
  try {
    return explainedOf((await send('/api/query', { method: 'POST', body: { cypher, parameters, explain: true }, signal })).body);
  } catch (error) {
    const remarks = remarksOf(error);
    if (remarks.length === 0) throw error;
    return { accepted: false, remarks, plan: null };
  }
}

const numbersOf = (value: unknown): unknown => {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(numbersOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, numbersOf(member)]));
};

interface ExplainAnswer {
  verdict: { accepted: boolean; reasons?: { line?: number; column?: number; operator?: string; message: string }[] };
  warnings?: { line?: number; column?: number; message: string }[];
  plan?: Operator | null;
}

function explainedOf(body: unknown): Explained {
  const { verdict, warnings = [], plan = null } = numbersOf((body as { data: unknown }).data) as ExplainAnswer;
  const remark =
    (severity: Remark['severity']) =>
    ({ line = 0, column = 0, operator, message }: { line?: number; column?: number; operator?: string; message: string }): Remark => ({
      severity,
      line,
      column,
      message: operator ? `${operator}: ${message}` : message,
    });
  return {
    accepted: verdict.accepted,
    remarks: [...(verdict.reasons ?? []).map(remark('error')), ...warnings.map(remark('warning'))],
    plan: plan?.operator ? plan : null,
  };
}

/** What an error of the service says of the text of a query. */
export function remarksOf(error: unknown): Remark[] {
  return asProblem(error)
    .details.filter(({ field }) => field === 'cypher')
    .map(({ message }) => {
      const at = /^line (\d+), column (\d+): /.exec(message);
      return {
        severity: 'error',
        line: Number(at?.[1] ?? 0),
        column: Number(at?.[2] ?? 0),
        message: message.slice(at?.[0].length ?? 0),
      };
    });
}

export const queriesKey = ['queries'];

export async function listQueries(signal?: AbortSignal): Promise<SavedQuery[]> {
  return dataOf<SavedQuery[]>(await send(`/api/queries?limit=${maxLimit}`, { signal }));
}

const pathOf = (name: string) => `/api/queries/${encodeURIComponent(name)}`;

/** Runs a saved query. */
export async function runSaved(name: string, parameters: Parameters, signal?: AbortSignal): Promise<Answer> {
  return answerOf((await send(`${pathOf(name)}/run`, { method: 'POST', body: { parameters }, signal })).body);
}

export const definitionsKey = ['query-definitions'];

/** The definitions of all saved queries, for administrators. */
export async function listDefinitions(signal?: AbortSignal): Promise<QueryDefinition[]> {
  return dataOf<QueryDefinition[]>(await send(`/api/admin/queries?limit=${maxLimit}`, { signal }));
}

/** The definition and its ETag; null if there is none of this name. */
export async function getDefinition(name: string): Promise<{ definition: QueryDefinition; etag: string } | null> {
  try {
    const sent = await send(`/api/admin/queries/${encodeURIComponent(name)}`);
    return { definition: dataOf<QueryDefinition>(sent), etag: sent.etag };
  } catch (error) {
    if (asProblem(error).status === 404) return null;
    throw error;
  }
}

/** Saves a query as an endpoint: a new one, or a new version of the one whose ETag is given. */
export async function saveQuery(query: QueryDefinition, etag: string | null): Promise<void> {
  const { name, ...members } = query;
  const numbers = { max_rows: members.max_rows, cache_seconds: members.cache_seconds };
  const integers = Object.entries(numbers).flatMap(([key, value]) => (value === undefined ? [] : [[key, integerOf(value)] as const]));
  const body = { ...members, ...Object.fromEntries(integers) };
  if (etag === null) await send('/api/admin/queries', { method: 'POST', body: { name, ...body } });
  else await send(`/api/admin/queries/${encodeURIComponent(name)}`, { method: 'PUT', body, etag });
}
