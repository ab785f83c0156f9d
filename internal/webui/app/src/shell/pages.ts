/** The pages, in the order of the navigation. */
export interface Page {
  path: string;
  name: string;
  description: string;
  needs: 'read' | 'admin' | null;
}

const pages: Page[] = [
  { path: '/explore', name: 'Explore', description: 'Nodes and edges as tables and graphs', needs: null },
  { path: '/schema', name: 'Schema', description: 'Types, properties, indexes', needs: null },
  { path: '/changes', name: 'Changes', description: 'What was changed, live', needs: 'read' },
  { path: '/trash', name: 'Trash', description: 'Deleted nodes and edges', needs: 'read' },
  { path: '/change-sets', name: 'Change sets', description: 'Proposed changes and their review', needs: 'read' },
  { path: '/users', name: 'Users', description: 'Accounts and permissions', needs: 'admin' },
  { path: '/declared-types', name: 'Types', description: 'Declared types and their violations', needs: 'admin' },
  { path: '/search-indexes', name: 'Search', description: 'Search indexes', needs: 'admin' },
  { path: '/audit', name: 'Audit', description: 'Who did what', needs: 'admin' },
];

export const visiblePages = (may: { read: boolean; admin: boolean }) => pages.filter((page) => page.needs === null || may[page.needs]);
