// The user's session. The token is in this module's memory and, to survive a reload, in this tab's sessionStorage: never in
// localStorage and never in a URL. Other tabs of the same origin, including /docs, request it on a broadcast channel
// (docs/adr/0004-web-session.md).
import { useSyncExternalStore } from 'react';
import { addressOf, storedAs } from '../api/address';
import { asProblem, Problem, problemFromResponse } from '../api/problem';
import { viewAs, type ViewAs } from './viewAs';

/** What may be done with the graph, by a permission or by a grant of a role. */
export type Action = 'read' | 'create' | 'edit' | 'delete';

/** query runs saved queries, console those that are not saved: no grant gives these. */
export type Permission = Action | 'query' | 'console';

export const graphPermissions: Action[] = ['read', 'create', 'edit', 'delete'];
export const allPermissions: Permission[] = [...graphPermissions, 'query', 'console'];

export interface Me {
  id: string;
  username: string;
  permissions: Permission[];
  roles: string[];
  /** What permissions and roles allow together, with some or all entities of a kind. */
  effective: Record<'node' | 'edge', Permission[]>;
  admin: boolean;
  /** Whether users may approve and reject their own change sets. */
  self_approval: boolean;
}

interface StoredToken {
  token: string;
  expiresAt: number; // milliseconds of the local clock
}

/**
 * starting: the session is being restored. waiting: the service cannot restore it at the moment; it is tried again.
 * out: no user is logged in. in: a user is logged in.
 * ended: the token is no longer valid; the page keeps its state and waits for a new login.
 */
export type Status = 'starting' | 'waiting' | 'out' | 'in' | 'ended';

export interface State {
  status: Status;
  /** Who is logged in. */
  account: Me | null;
  /** Whose rights decide what is shown and offered: the account, or whom it views as. */
  me: Me | null;
  expiresAt: number;
  /** Why the session ended, for the login page. */
  notice: string;
}

/** How the service lets users log in. */
export interface LoginMethods {
  /** Everybody who has a password, not only the first administrator. */
  password: boolean;
  oidc: boolean;
}

const storageKey = storedAs('graphrest.session');
const returnKey = storedAs('graphrest.return'); // the page to show after a login at the identity provider

const singleSignOnPath = addressOf('/api/auth/oidc/start');
const singleSignOnNotices: Record<string, string> = {
  failed: 'Single sign-on did not succeed. Try again, or ask an administrator.',
  unavailable: 'Single sign-on is not available at the moment. Try again later.',
};
// Milliseconds to wait for another tab before the login page is shown, so that it does not flash. Later replies are still used.
const tabReplyTimeout = 150;
// Milliseconds between attempts to restore the session while the service is busy.
const minRestorePause = 2000;
const maxRestorePause = 30_000;

class Session {
  private current: StoredToken | null = null;
  private state: State = { status: 'starting', account: null, me: null, expiresAt: 0, notice: '' };
  private listeners = new Set<() => void>();
  private waiters: { resolve: () => void; reject: (reason: Error) => void }[] = [];
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

  /** Restores a valid session from before a reload or from another tab, or completes a login at the identity provider. */
  async start() {
    const outcome = new URLSearchParams(location.search).get('sso');
    if (outcome) history.replaceState(null, '', addressOf('/')); // the failure is shown once
    this.current = this.loadToken();
    // Before other tabs are asked: one of them may be waiting for this login.
    if (!this.current && !outcome) await this.completeSingleSignOn();
    this.current ??= await this.requestFromTabs();
    if (!this.current) return this.update({ status: 'out', notice: outcome ? (singleSignOnNotices[outcome] ?? '') : '' });
    await this.restore();
  }

  /** How users may log in; passwords only if the service does not answer. */
  async loginMethods(): Promise<LoginMethods> {
    try {
      return ((await (await this.requireOk(fetch(addressOf('/api/auth/methods')))).json()) as { data: LoginMethods }).data;
    } catch {
      return { password: true, oidc: false };
    }
  }

  /** Opens another tab at the identity provider. This tab keeps its state, and continues when that tab is logged in as the same user. */
  renewBySingleSignOn() {
    // Without an opener the other tab does not get a copy of this one's storage, and with it the old token.
    window.open(singleSignOnPath, '_blank', 'noopener');
  }

  /** Sends the browser to the identity provider, which sends it back to this page. */
  beginSingleSignOn() {
    try {
      sessionStorage.setItem(returnKey, location.pathname + location.search);
    } catch {
      // Storage may be disabled; then the first page is shown afterwards.
    }
    location.assign(singleSignOnPath);
  }

  /** Trades the cookie that the provider's callback has set, which scripts cannot read. Only the first page can have it. */
  private async completeSingleSignOn() {
    if (location.pathname !== addressOf('/') || !(await this.loginMethods()).oidc) return;
    try {
      const response = await this.post('/api/auth/oidc/session');
      const token = (await response.json()) as { access_token: string; expires_in: number };
      this.storeToken({ token: token.access_token, expiresAt: Date.now() + token.expires_in * 1000 });
    } catch {
      return; // no login to complete
    }
    this.channel?.postMessage({ kind: 'renewed', ...this.current });
    try {
      const from = sessionStorage.getItem(returnKey) ?? addressOf('/');
      sessionStorage.removeItem(returnKey);
      if (/^\/[^/\\]/.test(from)) location.replace(from); // the session is in storage
    } catch {
      // As above.
    }
  }

  /** Takes the token of a login in another tab, unless it is another user's, whose data this page must not mix with what it shows. */
  private async acceptRenewal(renewed: StoredToken) {
    const account = this.state.account;
    if (!account) return;
    try {
      const response = await this.requireOk(fetch(addressOf('/api/auth/me'), { headers: { Authorization: `Bearer ${renewed.token}` } }));
      const { data } = (await response.json()) as { data: Me };
      if (data.id !== account.id || this.state.account !== account) return;
      this.storeToken(renewed);
      await this.loadUser();
    } catch {
      return; // the dialog stays
    }
    for (const waiter of this.waiters.splice(0)) waiter.resolve();
  }

  private async restore() {
    const token = this.token();
    for (let pause = minRestorePause; ; pause = Math.min(2 * pause, maxRestorePause)) {
      try {
        return await this.loadUser();
      } catch (error) {
        const problem = asProblem(error);
        if (problem.status === 401) return this.clear('');
        // Only the service can say that the session has ended: while it is busy or cannot be reached, the token is kept.
        if (problem.status !== 429 && problem.status < 500 && problem.code !== 'UNREACHABLE') return this.clear(problem.text);
        this.update({ status: 'waiting', notice: problem.message });
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, Math.max(pause, problem.retryAfter * 1000));
          this.retryNow = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      if (this.state.status !== 'waiting' || this.token() !== token) return; // logged out meanwhile
    }
  }
  /** Ends the pause before the session is tried to be restored again. */
  retryNow: () => void = () => {};

  /** Logs in. Throws a Problem if it fails. */
  async login(username: string, password: string) {
    const before = this.state.account;
    this.onTokenReceived = null;
    const response = await this.post('/api/auth/login?me=true', JSON.stringify({ username, password }));
    const token = (await response.json()) as { access_token: string; expires_in: number; me: Me };
    this.storeToken({ token: token.access_token, expiresAt: Date.now() + token.expires_in * 1000 });
    await this.showUser(token.me, token.expires_in * 1000);
    if (before && before.id !== this.state.account?.id) {
      // Another user: the page must not show the previous user's data.
      location.assign(addressOf('/'));
      return;
    }
    for (const waiter of this.waiters.splice(0)) waiter.resolve();
  }

  /** Logs out: revokes the token and removes it. The notice reports a token that could not be revoked. */
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
    this.update({ status: 'out', account: null, me: null, expiresAt: 0, notice });
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
    await this.showUser(data, left);
  }

  /** left: milliseconds until the token expires. */
  private async showUser(data: Me, left: number) {
    const viewed = viewAs && (await this.loadViewed(data, viewAs));
    this.update({ status: 'in', account: data, me: viewed?.me ?? data, expiresAt: Date.now() + left, notice: viewed?.notice ?? '' });
  }

  /** Whom the account views as, without the rights to change anything; the notice explains if that is not possible. */
  private async loadViewed(account: Me, as: ViewAs): Promise<{ me: Me; notice: string }> {
    const withoutRights = {
      id: '',
      username: as.name,
      permissions: [],
      roles: [],
      effective: { node: [], edge: [] },
      admin: false,
      self_approval: false,
    };
    if (!account.admin || !account.permissions.includes('read'))
      return { me: withoutRights, notice: 'Only administrators with the permission read may do this.' };
    const read = async (path: string) => ((await (await this.get(path)).json()) as { data: unknown }).data;
    try {
      const user =
        as.kind === 'user' ? ((await read(`/api/admin/users/${encodeURIComponent(as.name)}`)) as Me & { disabled: boolean }) : null;
      if (user?.disabled) return { me: withoutRights, notice: 'The user is disabled.' };
      const everything = user?.permissions.includes('read') ?? false;
      const names = user ? (everything ? [] : user.roles) : [as.name];
      const roles = (await Promise.all(names.map((name) => read(`/api/admin/roles/${encodeURIComponent(name)}`)))) as {
        grants: { kind: string; actions: string[] }[];
      }[];
      const reads = (kind: string): Permission[] =>
        everything || roles.some((role) => role.grants.some((grant) => grant.kind === kind && grant.actions.includes('read')))
          ? ['read']
          : [];
      return {
        me: { ...withoutRights, roles: user?.roles ?? [as.name], effective: { node: reads('node'), edge: reads('edge') } },
        notice: '',
      };
    } catch (error) {
      if (asProblem(error).status !== 404) throw error;
      return { me: withoutRights, notice: `There is no such ${as.kind}.` };
    }
  }

  private async get(path: string): Promise<Response> {
    return this.requireOk(fetch(addressOf(path), { headers: { Authorization: `Bearer ${this.token()}` } }));
  }

  private async post(path: string, body?: string, token?: string): Promise<Response> {
    const headers = new Headers();
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    if (token) headers.set('Authorization', `Bearer ${token}`);
    return this.requireOk(fetch(addressOf(path), { method: 'POST', headers, body }));
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
    } else if (message.kind === 'renewed' && message.token && message.expiresAt) {
      void this.acceptRenewal({ token: message.token, expiresAt: message.expiresAt });
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

/** What a user may do with some or all entities of a kind. */
export type KindRights = Record<Action, boolean>;

const rightsOf = (actions: Permission[] = []): KindRights => ({
  read: actions.includes('read'),
  create: actions.includes('create'),
  edit: actions.includes('edit'),
  delete: actions.includes('delete'),
});

/** What a user may do with some or all nodes and edges, by permissions and roles together. The service checks every request again. */
export function permissionsOf(me: Me | null) {
  const effective = { node: rightsOf(me?.effective.node), edge: rightsOf(me?.effective.edge) };
  const has = (permission: Permission) => me?.permissions.includes(permission) ?? false;
  return {
    ...effective,
    see: effective.node.read || effective.edge.read,
    admin: me?.admin ?? false,
    console: has('console'),
    // A role may name queries too; the list has those that the user may run.
    query: has('query') || (me?.roles.length ?? 0) > 0,
  };
}

/** Whether a user may view as others: an administrator who may read everything. */
export const mayViewAs = (me: Me | null) => me !== null && me.admin && me.permissions.includes('read');

/** Whether a user may fill the graph if it looks empty: others may see nothing of a full one, or not all that they create. */
export const mayLoadSample = (me: Me | null) => mayViewAs(me) && me!.permissions.includes('create');

export function usePermissions() {
  return permissionsOf(useSession().me);
}
