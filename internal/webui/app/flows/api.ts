// Clients of the gateway's API and of Neo4j, for set-up and checks in the flows.

export const adminPassword = 'the admin of the flows';
export const userPassword = 'a user of the flows';

/** The users of the flows with their permissions, in addition to admin. */
export const users = {
  viewer: ['read'],
  editor: ['read', 'create', 'edit'],
  keeper: ['read', 'create', 'edit', 'delete'],
  writer: ['create'],
} as const;

/** A session as the web interface stores it. */
export interface Session {
  token: string;
  /** In milliseconds of the local clock. */
  expiresAt: number;
}

const passwordOf = (username: string) => (username === 'admin' ? adminPassword : userPassword);

/** Logs in. */
export async function startSession(base: string, username: string, password = passwordOf(username)): Promise<Session> {
  const login = await fetch(`${base}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  if (!login.ok) throw new Error(`login: ${await login.text()}`);
  const { access_token, expires_in } = (await login.json()) as { access_token: string; expires_in: number };
  return { token: access_token, expiresAt: Date.now() + expires_in * 1000 };
}

const sessions = new Map<string, Promise<Session>>();

/** A session of a user that is shared. Users whom flows make and delete have a new one each time. */
export function sessionOf(base: string, username: string, password = passwordOf(username)): Promise<Session> {
  if (!Object.hasOwn(users, username) && username !== 'admin') return startSession(base, username, password);
  const key = `${base} ${username}`;
  const found = sessions.get(key) ?? startSession(base, username, password);
  sessions.set(key, found);
  found.catch(() => sessions.delete(key)); // the next flow tries again
  return found;
}

/** Returns a function that calls the API as a user, for set-up and checks. */
export async function connect(base: string, username = 'admin', password = passwordOf(username)) {
  const { token } = await sessionOf(base, username, password);
  return async function call<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(base + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  };
}

export type Call = Awaited<ReturnType<typeof connect>>;

/** Runs Cypher directly on Neo4j, bypassing the gateway. */
export async function cypher(statement: string, parameters: Record<string, unknown> = {}) {
  const { NEO4J_HTTP_URL: url, NEO4J_USERNAME: user, NEO4J_PASSWORD: password } = process.env;
  const response = await fetch(`${url}/db/neo4j/query/v2`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
    body: JSON.stringify({ statement, parameters }),
  });
  const result = (await response.json()) as { errors?: unknown[]; data?: unknown };
  if (!response.ok || result.errors?.length) throw new Error(JSON.stringify(result.errors));
  return result.data;
}

/** Waits until the service's schema has this count of nodes or edges of a type, after they were created with Cypher. */
export async function waitForCount(base: string, kind: 'nodes' | 'edges', type: string, count: number) {
  const call = await connect(base);
  for (;;) {
    const types = await call<{ type: string; count: number }[]>('GET', `/api/schema/${kind}`);
    if (types.some((t) => t.type === type && t.count === count)) return;
    await new Promise((next) => setTimeout(next, 100));
  }
}
