// The user's session. The token is in this module's memory and, to survive a reload, in this tab's sessionStorage: never in
// localStorage and never in a URL. Other tabs of the same origin, including /docs, request it on a broadcast channel
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
 * starting: the session is being restored.
 * out: no user is logged in. in: a user is logged in.
 * ended: the token is no longer valid; the page keeps its state and waits for a new login.
 */
export type Status = 'starting' | 'out' | 'in' | 'ended';

export interface State {
  status: Status;
  me: Me | null;
  expiresAt: number;
  /** Why the session ended, for the login page. */
  notice: string;
}

const storageKey = 'graphrest.session';
// Milliseconds to wait for another tab before the login page is shown, so that it does not flash. Later replies are still used.
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

  /** Restores a valid session from before a reload or from another tab. */
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

  /** Logs in. Throws a Problem if it fails. */
  async login(username: string, password: string) {
    const before = this.state.me;
    this.onTokenReceived = null;
    const response = await this.post('/api/auth/login', JSON.stringify({ username, password }));
    const token = (await response.json()) as { access_token: string; expires_in: number };
    this.storeToken({ token: token.access_token, expiresAt: Date.now() + token.expires_in * 1000 });
    await this.loadUser();
    if (before && before.id !== this.state.me?.id) {
      // Another user: the page must not show the previous user's data.
      location.assign('/');
      return;
    }
    for (const waiter of this.waiters.splice(0)) waiter.resolve();
  }

  /** Logs out: revokes the token and removes it. The notice says if it could not be revoked. */
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

  /** Removes the token in this tab without revoking it. */
  clear(notice: string) {
    this.current = null;
    this.onTokenReceived = null;
    try {
      sessionStorage.removeItem(storageKey);
    } catch {
      // Storage may be disabled.
    }
    for (const waiter of this.waiters.splice(0)) waiter.reject(new Problem('UNAUTHENTICATED', 'Logged out', 401));
    this.update({ status: 'out', me: null, expiresAt: 0, notice });
  }

  /** Resolves when there is a newer token than the rejected one. */
  waitForRenewal(rejectedToken: string, code: string): Promise<void> {
    if (this.current && this.current.token !== rejectedToken) return Promise.resolve();
    const notice = code === 'TOKEN_EXPIRED' ? 'Your session has expired.' : 'Your session was ended.';
    if (this.state.status !== 'ended') this.update({ status: 'ended', notice });
    return new Promise((resolve, reject) => this.waiters.push({ resolve, reject }));
  }

  private async loadUser() {
    const response = await this.get('/api/auth/me');
    const { data, meta } = (await response.json()) as { data: Me & { expires_at: string }; meta: { timestamp: string } };
    // Computed with the service's clock, because the local clock may be wrong.
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
      // Storage may be disabled; then a reload needs a new login.
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

/** The user's permissions. The service checks them again on every request. */
export function usePermissions() {
  const { me } = useSession();
  const has = (permission: Permission) => me?.permissions.includes(permission) ?? false;
  return { read: has('read'), create: has('create'), edit: has('edit'), delete: has('delete'), admin: me?.admin ?? false };
}
