/** The pages, in the order in which they are offered. */
export interface Page {
  path: string;
  tab: string;
  name: string;
  description: string;
  admin: boolean;
}

const pages: Page[] = [
  { path: '/explore', tab: 'Explore', name: 'Explore', description: 'Tables and graphs of what is stored', admin: false },
  { path: '/schema', tab: 'Schema', name: 'Schema', description: 'Types, properties, indexes', admin: false },
  { path: '/users', tab: 'Users', name: 'Users', description: 'Accounts and permissions', admin: true },
  { path: '/declared-types', tab: 'Types', name: 'Declared types', description: 'What nodes and edges have to look like', admin: true },
  { path: '/search-indexes', tab: 'Search', name: 'Search indexes', description: 'What can be searched by words', admin: true },
  { path: '/audit', tab: 'Audit', name: 'Audit', description: 'Who did what', admin: true },
];

export const visiblePages = (admin: boolean) => pages.filter((page) => admin || !page.admin);
