// Why a request of a user is allowed or refused, for administrators.
import { unwrap, client } from '../api/client';
import type { EntityKind } from '../api/graph';
import { parseExact } from '../api/json';
import type { components } from '../api/openapi';
import { Problem } from '../api/problem';

export type Explanation = components['schemas']['Explanation'];

export interface ExplainedRequest {
  user: string;
  method: string;
  path: string;
}

/** Requests to choose from; the path of any other is entered. */
export const requestTemplates = [
  { value: 'see-node', label: 'See a node', method: 'GET', path: '/api/nodes/{id}' },
  { value: 'edit-node', label: 'Change a node', method: 'PUT', path: '/api/nodes/{id}' },
  { value: 'delete-node', label: 'Delete a node', method: 'DELETE', path: '/api/nodes/{id}' },
  { value: 'create-node', label: 'Create a node', method: 'POST', path: '/api/nodes' },
  { value: 'list-nodes', label: 'List nodes', method: 'GET', path: '/api/nodes' },
  { value: 'see-edge', label: 'See an edge', method: 'GET', path: '/api/edges/{id}' },
  { value: 'edit-edge', label: 'Change an edge', method: 'PUT', path: '/api/edges/{id}' },
  { value: 'delete-edge', label: 'Delete an edge', method: 'DELETE', path: '/api/edges/{id}' },
  { value: 'create-edge', label: 'Create an edge', method: 'POST', path: '/api/edges' },
  { value: 'list-edges', label: 'List edges', method: 'GET', path: '/api/edges' },
  { value: 'run-query', label: 'Run a saved query', method: 'GET', path: '/api/queries/{id}/run' },
] as const;

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The request as the form shows it. */
export interface RequestForm {
  /** One of the templates, or "other". */
  template: string;
  id: string;
  method: string;
  path: string;
}

const templateOf = (form: RequestForm) => requestTemplates.find((template) => template.value === form.template);

/** Whether the form asks for the id of a node or an edge. */
export const needsId = (form: RequestForm) => templateOf(form)?.path.includes('{id}') ?? false;

export function requestOf(form: RequestForm): { method: string; path: string } {
  const template = templateOf(form);
  if (!template) return { method: form.method, path: form.path };
  return { method: template.method, path: template.path.replace('{id}', encodeURIComponent(form.id.trim())) };
}

const entityShape = /^(\/api\/(?:nodes|edges|queries))\/([^/?]+)(\/run)?$/;

/** The form of a request, such as that of a URL. */
export function formOf(method: string, path: string): RequestForm {
  const [, list, id, rest = ''] = entityShape.exec(path) ?? [];
  const shape = list === undefined ? path : `${list}/{id}${rest}`;
  const template = requestTemplates.find((each) => each.method === method && each.path === shape);
  return { template: template?.value ?? 'other', id: decode(id ?? ''), method, path };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The page that explains a request; what is not given is chosen there. */
export function explainPath({ user, entity }: { user?: string; entity?: { kind: EntityKind; id: string } }): string {
  const params = new URLSearchParams();
  if (user !== undefined) params.set('user', user);
  if (entity) {
    params.set('method', 'GET');
    params.set('path', `/api/${entity.kind}s/${encodeURIComponent(entity.id)}`);
  }
  return `/explain?${params}`;
}

/** Parses the body of the explained request; undefined if there is none. Throws a Problem if it is not JSON. */
export function parseBody(text: string): Record<string, never> | undefined {
  if (text.trim() === '') return undefined;
  try {
    return parseExact(text) as Record<string, never>;
  } catch (error) {
    throw new Problem('VALIDATION_ERROR', 'Invalid input', 400, [
      { field: 'body', message: `is not JSON: ${error instanceof Error ? error.message : String(error)}` },
    ]);
  }
}

/** Asks what a request would get. Nothing is run. */
export async function explainRequest(request: ExplainedRequest, bodyText: string): Promise<Explanation> {
  const body = parseBody(bodyText);
  return (await unwrap(client.POST('/api/admin/explain', { body: { ...request, ...(body === undefined ? {} : { body }) } }))).data.data;
}

const outcomes: Record<string, string> = {
  NOT_FOUND: 'For this user it does not exist.',
  PERMISSION_DENIED: 'The user may not do this.',
  METHOD_NOT_ALLOWED: 'There is no such operation at this path.',
  TOKEN_REVOKED: 'The user cannot log in.',
  VALIDATION_ERROR: 'The request is rejected as invalid input.',
};

/** What the code of a refused request means, in words. */
export const outcomeText = (code: string | undefined) => (code === undefined ? '' : (outcomes[code] ?? ''));
