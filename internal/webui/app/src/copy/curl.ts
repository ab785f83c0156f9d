// Requests as curl commands for a POSIX shell. They never contain the token; the user sets $TOKEN.
import { addressOf } from '../api/address';
import { bodyText } from '../api/json';
import { viewAs, viewAsHeader, viewAsValue } from '../session/viewAs';
import { escapeInvisible } from './escape';

export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface Request {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  query?: Record<string, string | number | undefined>;
  filters?: [string, string][];
  body?: unknown;
  ifMatch?: string;
}

export function curl({ method = 'GET', path, query = {}, filters = [], body, ifMatch }: Request): string {
  const params = new URLSearchParams(filters);
  for (const [key, value] of Object.entries(query)) if (value !== undefined) params.set(key, String(value));
  const address = `${location.origin}${addressOf(path)}${params.size > 0 ? `?${params}` : ''}`;
  const parts = [`curl ${method === 'GET' ? '' : `-X ${method} `}${shellQuote(address)}`, '-H "Authorization: Bearer $TOKEN"'];
  if (viewAs && method === 'GET') parts.push(`-H ${shellQuote(`${viewAsHeader}: ${viewAsValue(viewAs)}`)}`);
  if (ifMatch) parts.push(`-H ${shellQuote(`If-Match: ${ifMatch}`)}`);
  if (body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d ${shellQuote(escapeInvisible(bodyText(body)))}`);
  return parts.join(' \\\n  ');
}

export const entityPath = (kind: 'node' | 'edge', id: string) => `/api/${kind}s/${encodeURIComponent(id)}`;
