import { escapeInvisible } from '../values/text';

/** The pages, in the order of the navigation. */
export interface Page {
  path: string;
  name: string;
  description: string;
  /** A right that the page needs: to read some part of the graph, to administer, to run saved queries, or any query. */
  needs: 'see' | 'admin' | 'query' | 'console' | null;
}

const pages: Page[] = [
  { path: '/', name: 'Home', description: 'Types, recent changes, what waits for you', needs: 'see' },
  { path: '/explore', name: 'Explore', description: 'Nodes and edges as tables and graphs', needs: null },
  { path: '/ask', name: 'Ask', description: 'Questions over several hops', needs: 'see' },
  { path: '/schema', name: 'Schema', description: 'Types, properties, indexes', needs: null },
  { path: '/queries', name: 'Queries', description: 'Saved queries, as forms', needs: 'query' },
  { path: '/console', name: 'Console', description: 'Cypher that reads the graph', needs: 'console' },
  { path: '/changes', name: 'Changes', description: 'What was changed, live', needs: 'see' },
  { path: '/trash', name: 'Trash', description: 'Deleted nodes and edges', needs: 'see' },
  { path: '/change-sets', name: 'Change sets', description: 'Proposed changes and their review', needs: 'see' },
];

const adminPages: Page[] = [
  { path: '/users', name: 'Users', description: 'Accounts, permissions, roles, attributes', needs: 'admin' },
  { path: '/roles', name: 'Roles', description: 'What roles allow on parts of the graph', needs: 'admin' },
  { path: '/explain', name: 'Why?', description: 'Which permission or grant decides a request', needs: 'admin' },
  { path: '/tokens', name: 'Service tokens', description: 'Credentials of programs', needs: 'admin' },
  { path: '/declared-types', name: 'Declared types', description: 'JSON Schemas of types, and their violations', needs: 'admin' },
  { path: '/search-indexes', name: 'Search indexes', description: 'Which texts are searched', needs: 'admin' },
  { path: '/webhooks', name: 'Webhooks', description: 'Recorded changes sent to HTTP endpoints', needs: 'admin' },
  { path: '/system', name: 'System', description: 'State, findings, sizes, indexes with advice, settings', needs: 'admin' },
  { path: '/audit', name: 'Audit', description: 'Who did what', needs: 'admin' },
];

interface Rights {
  see: boolean;
  admin: boolean;
  query: boolean;
  console: boolean;
}

const isVisible = (may: Rights) => (page: Page) => page.needs === null || may[page.needs];

export const visiblePages = (may: Rights) => pages.filter(isVisible(may));

/** The pages for administrators, which have a separate navigation. */
export const visibleAdminPages = (may: Rights) => adminPages.filter(isVisible(may));

export const isAdminPath = (path: string) => adminPages.some((page) => path === page.path || path.startsWith(`${page.path}/`));

const service = 'Graph Data Service';

/** The title of the page at an address, for the tabs and the history of the browser. It has no values: they would stay in the history. */
export function pageTitle(path: string, search: string): string {
  const page = [...pages, ...adminPages].find((each) =>
    each.path === '/' ? path === '/' : path === each.path || path.startsWith(`${each.path}/`),
  );
  if (page === undefined) return service;
  return `${page.path === '/explore' ? listTitle(new URLSearchParams(search)) : page.name} - ${service}`;
}

function listTitle(params: URLSearchParams): string {
  if (params.get('q')) return 'Search results';
  const kind = params.get('kind') === 'edge' ? 'edges' : 'nodes';
  const type = params.get('type');
  const list = type === null ? `All ${kind}` : `${escapeInvisible(type)} ${kind}`;
  const view = params.get('view');
  return view === 'graph' || view === 'map' ? `${list} as a ${view}` : list;
}
