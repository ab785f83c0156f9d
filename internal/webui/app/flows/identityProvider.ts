// Starts an identity provider whose two users are those of cmd/oidcprovider.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

export const providerUsers = { member: 'test-user@127.0.0.1', outsider: 'test-user2' };
export const providerPassword = 'verysecure';

export interface IdentityProvider {
  issuer: string;
  /** The settings of a gateway whose users sign in here. */
  settings: Record<string, string>;
  stop: () => Promise<void>;
}

/** Starts the provider for a gateway at an address; groups are those of the user member. */
export async function startProvider(gateway: string, groups: string[]): Promise<IdentityProvider> {
  const redirect = `${gateway}/api/auth/oidc/callback`;
  const names = groups.flatMap((group) => ['-group', `${providerUsers.member}=${group}`]);
  const provider = spawn('go', ['run', './cmd/oidcprovider', '-redirect', redirect, ...names], {
    cwd: resolve(import.meta.dirname, '../../../..'),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let log = '';
  provider.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise<void>((done) => provider.once('exit', () => done()));
  const issuer = await new Promise<string>((done, failed) => {
    createInterface(provider.stdout).once('line', done);
    provider.once('exit', () => failed(new Error(`the identity provider ended:\n${log}`)));
  });
  return {
    issuer,
    settings: {
      GRAPHREST_OIDC_ISSUER: issuer,
      GRAPHREST_OIDC_CLIENT_ID: 'graphrest',
      GRAPHREST_OIDC_CLIENT_SECRET: "the client's secret: 1/2+3",
      GRAPHREST_OIDC_REDIRECT_URL: redirect,
    },
    stop: () => {
      provider.stdin.end(); // ends it
      return ended;
    },
  };
}
