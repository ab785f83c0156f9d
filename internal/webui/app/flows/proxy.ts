// A gateway behind an nginx that publishes it under a path, removes that path from requests, and compresses JSON.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startGateway } from './gateway';

export interface ProxiedGateway {
  origin: string;
  /** The address of the gateway for browsers, without a slash at its end. */
  base: string;
  stop: () => Promise<void>;
}

export async function startProxiedGateway(path: string): Promise<ProxiedGateway> {
  const gateway = await startGateway(3600, { GRAPHREST_BASE_PATH: path });
  const port = await freePort();
  const dir = await mkdtemp(join(tmpdir(), 'nginx-'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${dir}/${kind};`).join(' ');
  await writeFile(
    join(dir, 'nginx.conf'),
    `daemon off; pid ${dir}/pid; error_log stderr; worker_processes 1;
    events {}
    http {
      access_log off; ${temporary}
      gzip on; gzip_types application/json; gzip_proxied any; gzip_min_length 1;
      server { listen 127.0.0.1:${port}; location ${path}/ { proxy_pass ${gateway.base}/; } }
    }`,
  );
  const nginx = spawn('nginx', ['-c', join(dir, 'nginx.conf'), '-p', dir, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((done) => nginx.once('exit', () => done()).once('error', () => done()));
  const origin = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${origin}${path}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
  while (!(await answers())) {
    if (nginx.exitCode !== null || nginx.pid === undefined) throw new Error('nginx did not start: apt-get install nginx-light');
    await new Promise((next) => setTimeout(next, 50));
  }
  return {
    origin,
    base: origin + path,
    stop: async () => {
      nginx.kill('SIGTERM');
      await ended;
      await gateway.stop();
      await rm(dir, { recursive: true });
    },
  };
}
