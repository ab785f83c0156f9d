/** The pages, in the order of the navigation. */
export interface Page {
  path: string;
  name: string;
  description: string;
  admin: boolean;
}

const pages: Page[] = [
  { path: '/explore', name: 'Explore', description: 'Nodes and edges as tables and graphs', admin: false },
  { path: '/schema', name: 'Schema', description: 'Types, properties, indexes', admin: false },
  { path: '/users', name: 'Users', description: 'Accounts and permissions', admin: true },
  { path: '/declared-types', name: 'Types', description: 'Declared types and their violations', admin: true },
  { path: '/search-indexes', name: 'Search', description: 'Search indexes', admin: true },
  { path: '/audit', name: 'Audit', description: 'Who did what', admin: true },
];

export const visiblePages = (admin: boolean) => pages.filter((page) => admin || !page.admin);
