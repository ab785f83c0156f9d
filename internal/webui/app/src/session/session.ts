// Who is logged in. The token is in this module's memory and, to survive a reload, in this tab's sessionStorage: never in
// localStorage and never in an address. Other tabs of the same origin, /docs among them, ask for it on a broadcast channel
// (docs/adr/0004-web-session.md).
import { useSyncExternalStore } from 'react';
import { asProblem, Problem, problemFromResponse } from '../api/problem';

export type Permission = 'read' | 'create' | 'edit' | 'delete';

export interface Me {
  id: string;
  username: string;
  permissions: Permission[];
  admin: boolean;
}

interface StoredToken {
  token: string;
  expiresAt: number; // milliseconds of the local clock
}

/**
 * starting: finding out whether there is a session.
 * out: nobody is logged in. in: somebody is.
 * ended: the token is no longer good, and what is on the screen waits for a new login.
 */
export type Status = 'starting' | 'out' | 'in' | 'ended';

export interface State {
  status: Status;
  me: Me | null;
  expiresAt: number;
  /** Why nobody is logged in any more, for the login page. */
  notice: string;
}

const storageKey = 'graphrest.session';
// Milliseconds for which the login is stored back, so that it does not flash up. Another tab that is slower is heard all the same.
const tabReplyTimeout = 150;

class Session {
  private current: StoredToken | null = null;
  private state: State = { status: 'starting', me: null, expiresAt: 0, notice: '' };
  private listeners = new Set<() => void>();
  private waiters: { resolve: () => void; reject: (why: Error) => void }[] = [];
  private channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(storageKey);

  constructor() {
    if (this.channel) this.channel.onmessage = (event) => this.handleMessage(event.data as Partial<StoredToken> & { kind: string });
  }

  subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  getState = () => this.state;

  token(): string {
    return this.current?.token ?? '';
  }

  /** Takes over a session from before a reload or from another tab, if there is a good one. */
  async start() {
    this.current = this.loadToken() ?? (await this.requestFromTabs());
    if (!this.current) return this.update({ status: 'out' });
    await this.restore();
  }

  private async restore() {
    try {
      await this.loadUser();
    } catch (error) {
      if (asProblem(error).status === 401) this.clear('');
      else this.clear(asProblem(error).text);
    }
  }

  /** Logs in. A Problem says why it failed. */
  async login(username: string, password: string) {
    const before = this.state.me;
    this.onTokenReceived = null;
    const response = await this.post('/api/auth/login', JSON.stringify({ username, password }));
    const token = (await response.json()) as { access_token: string; expires_in: number };
    this.storeToken({ token: token.access_token, expiresAt: Date.now() + token.expires_in * 1000 });
    await this.loadUser();
    if (before && before.id !== this.state.me?.id) {
      // Somebody else: nothing that is on the screen is theirs.
      location.assign('/');
      return;
    }
    for (const waiter of this.waiters.splice(0)) waiter.resolve();
  }

  /** Revokes the token and forgets it; the error says that it could not be revoked. */
  async logout() {
    const token = this.token();
    this.channel?.postMessage({ kind: 'end', token });
    let failed: Problem | null = null;
    try {
      await this.post('/api/auth/logout', undefined, token);
    } catch (error) {
      failed = asProblem(error);
    }
    const gone = failed === null || failed.status === 401;
    this.clear(gone ? '' : `You are logged out here, but the token could not be revoked: ${failed?.text}`);
  }

  /** Ends the session on this side only: its token is known to be no good any more. */
  clear(notice: string) {
    this.current = null;
    this.onTokenReceived = null;
    try {
      sessionStorage.removeItem(storageKey);
    } catch {
      // Storage may be switched off.
    }
    for (const waiter of this.waiters.splice(0)) waiter.reject(new Problem('UNAUTHENTICATED', 'Logged out', 401));
    this.update({ status: 'out', me: null, expiresAt: 0, notice });
  }

  /** Resolves once there is a newer token than the one refused. */
  waitForRenewal(refused: string, code: string): Promise<void> {
    if (this.current && this.current.token !== refused) return Promise.resolve();
    const notice = code === 'TOKEN_EXPIRED' ? 'Your session has expired.' : 'Your session was ended.';
    if (this.state.status !== 'ended') this.update({ status: 'ended', notice });
    return new Promise((resolve, reject) => this.waiters.push({ resolve, reject }));
  }

  private async loadUser() {
    const response = await this.get('/api/auth/me');
    const { data, meta } = (await response.json()) as { data: Me & { expires_at: string }; meta: { timestamp: string } };
    // Against the service's own clock: this machine's may be wrong.
    const left = Date.parse(data.expires_at) - Date.parse(meta.timestamp);
    this.storeToken({ token: this.token(), expiresAt: Date.now() + left });
    this.update({ status: 'in', me: data, expiresAt: Date.now() + left, notice: '' });
  }

  private async get(path: string): Promise<Response> {
    return this.requireOk(fetch(path, { headers: { Authorization: `Bearer ${this.token()}` } }));
  }

  private async post(path: string, body?: string, token?: string): Promise<Response> {
    const headers = new Headers();
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    if (token) headers.set('Authorization', `Bearer ${token}`);
    return this.requireOk(fetch(path, { method: 'POST', headers, body }));
  }

  private async requireOk(call: Promise<Response>): Promise<Response> {
    let response: Response;
    try {
      response = await call;
    } catch (error) {
      throw asProblem(error);
    }
    if (!response.ok) throw problemFromResponse(response, await response.json().catch(() => undefined));
    return response;
  }

  private storeToken(stored: StoredToken) {
    this.current = stored;
    try {
      sessionStorage.setItem(storageKey, JSON.stringify(stored));
    } catch {
      // Storage may be switched off; then a reload means a new login.
    }
  }

  private loadToken(): StoredToken | null {
    try {
      const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as StoredToken | null;
      return stored && typeof stored.token === 'string' && stored.expiresAt > Date.now() ? stored : null;
    } catch {
      return null;
    }
  }

  private requestFromTabs(): Promise<StoredToken | null> {
    const channel = this.channel;
    if (!channel) return Promise.resolve(null);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.onTokenReceived = (stored) => {
          this.current = stored;
          void this.restore();
        };
        resolve(null);
      }, tabReplyTimeout);
      this.onTokenReceived = (stored) => {
        clearTimeout(timer);
        resolve(stored);
      };
      channel.postMessage({ kind: 'ask' });
    });
  }
  private onTokenReceived: ((stored: StoredToken) => void) | null = null;

  private handleMessage(message: Partial<StoredToken> & { kind: string }) {
    if (message.kind === 'ask' && this.current && this.state.status === 'in') {
      this.channel?.postMessage({ kind: 'have', ...this.current });
    } else if (message.kind === 'have' && message.token && message.expiresAt) {
      this.onTokenReceived?.({ token: message.token, expiresAt: message.expiresAt });
      this.onTokenReceived = null;
    } else if (message.kind === 'end' && message.token && message.token === this.token()) {
      this.clear('You have logged out in another tab.');
    }
  }

  private update(change: Partial<State>) {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}

export const session = new Session();

export function useSession(): State {
  return useSyncExternalStore(session.subscribe, session.getState);
}

/** What the user may do; the service decides again on every request. */
export function usePermissions() {
  const { me } = useSession();
  const has = (permission: Permission) => me?.permissions.includes(permission) ?? false;
  return { read: has('read'), create: has('create'), edit: has('edit'), delete: has('delete'), admin: me?.admin ?? false };
}
