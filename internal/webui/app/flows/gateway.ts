// A real gateway on the real Neo4j of the environment (make test-webui starts one), filled with sample data.
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { createSample } from './sample';

export interface Gateway {
  base: string;
  stop: () => Promise<void>;
}

export const adminPassword = 'the admin of the flows';
export const userPassword = 'a user of the flows';

/** Users with different permissions; admin is the fourth kind. */
export const users = {
  viewer: ['read'],
  editor: ['read', 'create', 'edit'],
  keeper: ['read', 'create', 'edit', 'delete'],
  writer: ['create'],
} as const;

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer().on('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (address && typeof address === 'object' ? done(address.port) : failed(new Error('no port'))));
    });
  });
}

async function waitUntilReady(base: string, gateway: ChildProcess) {
  for (;;) {
    if (gateway.exitCode !== null) throw new Error(`the gateway ended with code ${gateway.exitCode}`);
    const ready = await fetch(`${base}/readyz`).then((r) => r.ok, () => false);
    if (ready) return;
    await new Promise((next) => setTimeout(next, 200));
  }
}

/** Starts the gateway; ttl is the life of its tokens in seconds. */
export async function startGateway(ttl = 3600): Promise<Gateway> {
  if (!process.env['NEO4J_URI']) throw new Error('NEO4J_URI is not set; run the flows with: make test-webui');
  const port = await freePort();
  const gateway = spawn(resolve(import.meta.dirname, '../../../../bin/graphrest'), ['serve'], {
    env: {
      ...process.env,
      GRAPHREST_LISTEN: `127.0.0.1:${port}`,
      GRAPHREST_JWT_SECRET: 'only for the flows of the web interface, nothing else',
      GRAPHREST_ADMIN_USERNAME: 'admin',
      GRAPHREST_ADMIN_PASSWORD: adminPassword,
      GRAPHREST_TOKEN_TTL: `${ttl}s`,
      GRAPHREST_RATE_LIMIT: '100000',
      GRAPHREST_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // While the database is being prepared every probe is an error in the log; what comes after matters.
  let log = '';
  gateway.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));
  const base = `http://127.0.0.1:${port}`;
  await waitUntilReady(base, gateway).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${log}`);
  });
  return {
    base,
    stop: () =>
      new Promise((done) => {
        gateway.once('exit', () => done());
        gateway.kill('SIGTERM');
      }),
  };
}

/** A client of the API for preparing and checking. */
export async function connect(base: string, username = 'admin', password = adminPassword) {
  const login = await fetch(`${base}/api/auth/login`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ username, password }) });
  if (!login.ok) throw new Error(`login: ${await login.text()}`);
  const { access_token } = (await login.json()) as { access_token: string };
  return async function call<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(base + path, {
      method,
      headers: { Authorization: `Bearer ${access_token}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  };
}

export type Call = Awaited<ReturnType<typeof connect>>;

/** Runs Cypher past the gateway, as an analyst would. */
export async function cypher(statement: string, parameters: Record<string, unknown> = {}) {
  const { NEO4J_HTTP_URL: url, NEO4J_USERNAME: user, NEO4J_PASSWORD: password } = process.env;
  const response = await fetch(`${url}/db/neo4j/query/v2`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
    body: JSON.stringify({ statement, parameters }),
  });
  const answer = (await response.json()) as { errors?: unknown[]; data?: unknown };
  if (!response.ok || answer.errors?.length) throw new Error(JSON.stringify(answer.errors));
  return answer.data;
}

/** Waits until the service knows of what was made past it: so many nodes or edges of a type. */
export async function waitForCount(base: string, kind: 'nodes' | 'edges', type: string, count: number) {
  const call = await connect(base);
  for (;;) {
    const types = await call<{ type: string; count: number }[]>('GET', `/api/schema/${kind}`);
    if (types.some((t) => t.type === type && t.count === count)) return;
    await new Promise((next) => setTimeout(next, 100));
  }
}

export async function createFixtures(base: string) {
  const admin = await connect(base);
  for (const [username, permissions] of Object.entries(users)) {
    await admin('POST', '/api/admin/users', { username, password: userPassword, permissions });
  }
  return createSample(admin);
}
