// Starts a gateway that uses the Neo4j of the environment (make test-webui starts one).
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { adminPassword } from './api';

export interface Gateway {
  base: string;
  stop: () => Promise<void>;
}

/** Returns a port of the loopback interface that nothing listens on. */
export function freePort(): Promise<number> {
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
    const ready = await fetch(`${base}/readyz`).then(
      (r) => r.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((next) => setTimeout(next, 200));
  }
}

/** Starts the gateway; ttl is the lifetime of its tokens in seconds, settings are further variables of its environment. */
export async function startGateway(ttl = 3600, settings: Record<string, string> = {}, atPort?: number): Promise<Gateway> {
  if (!process.env['NEO4J_URI']) throw new Error('NEO4J_URI is not set; run the flows with: make test-webui');
  const port = atPort ?? (await freePort());
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
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = ''; // its last part
  let isStopped = false;
  gateway.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));
  gateway.once('exit', (code, signal) => {
    if (!isStopped) console.error(`the gateway ended by itself, with code ${code} and signal ${signal}; its log:\n${log}`);
  });
  const base = `http://127.0.0.1:${port}`;
  await waitUntilReady(base, gateway).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${log}`);
  });
  return {
    base,
    stop: () =>
      new Promise((done) => {
        isStopped = true;
        gateway.once('exit', () => done());
        gateway.kill('SIGTERM');
      }),
  };
}
