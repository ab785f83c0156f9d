// The layers of the web interface: a file imports its own layer and those below. A folder is in one layer, but for files that are named.
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { parseSource, sourceFiles } from './sources';

/** From the lowest. What is not named belongs to the subjects, each of which is a folder. The longest name decides. */
const layers: [name: string, members: string[]][] = [
  ['values', ['values', 'api/json', 'api/openapi', 'api/address', 'api/outage', 'api/onDemand', 'theme', 'sources']],
  [
    'session and shell',
    [
      'api',
      'session',
      'shell',
      'copy/CopyMenu',
      'copy/curl',
      'copy/escape',
      'changesets/proposal',
      'changesets/operations',
      'history/history',
    ],
  ],
  [
    'data',
    [
      'declared',
      'entity/ends',
      'entity/changes',
      'changesets/batch',
      'explore/url',
      'explore/filters',
      'explore/lists',
      'explore/entities',
    ],
  ],
  [
    'view',
    [
      'explore',
      'search',
      'copy',
      'charts',
      'entity/form',
      'entity/unsaved',
      'canvas/model',
      'canvas/steps',
      'canvas/openCanvas',
      'canvas/AddToCanvas',
      'canvas/groupKey',
      'canvas/valueStyle',
    ],
  ],
  [
    'subjects',
    [
      '.', // the frame around the pages, and the pages of lists
      'shell/Shell',
      'shell/UserMenu',
      'shell/Palette',
      'explore/ExplorePage',
      'explore/ListPane',
      'explore/BulkDialog',
      'explore/BulkFields',
      'explore/CellEditor',
      'explore/EntityTable',
      'explore/SelectionBar',
      'explore/bulk',
      'explore/linkedColumns',
      'explore/prefetch',
      'declared/DeclaredPage',
      'declared/ViolationsDialog',
    ],
  ],
];

const bare = (file: string) => file.replace(/\.tsx?$/, '');
const isIn = (file: string, member: string) => file === member || file.startsWith(`${member}/`);

/** The number of a file's layer, with the name that decides. */
function layerOf(file: string): { layer: number; member: string } {
  let found = { layer: layers.length - 1, member: '' };
  layers.forEach(([, members], layer) => {
    for (const member of members) if (isIn(bare(file), member) && member.length > found.member.length) found = { layer, member };
  });
  return found;
}

/** The files of the source that a file imports, also types and by import(). */
function importsOf(name: string, known: Set<string>, text?: string): string[] {
  const found: string[] = [];
  const add = (path: string) => {
    const at = normalize(join(dirname(name), path));
    const file = [at, `${at}.ts`, `${at}.tsx`].find((one) => known.has(one));
    if (path.startsWith('.') && file) found.push(file);
  };
  const visit = (node: ts.Node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier))
      add(node.moduleSpecifier.text);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && ts.isStringLiteral(node.arguments[0]!))
      add(node.arguments[0].text);
    ts.forEachChild(node, visit);
  };
  visit(parseSource(name, text));
  return found;
}

/** Imports of a layer above. */
const upward = (imports: Map<string, string[]>) =>
  [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => layerOf(target).layer > layerOf(file).layer)
      .map((target) => `${file} (${layers[layerOf(file).layer]![0]}) imports ${target} (${layers[layerOf(target).layer]![0]})`),
  );

/** Files that import themselves through others: each circle once, from its first file on. */
function circles(imports: Map<string, string[]>): string[] {
  const found: string[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (file: string, path: string[]) => {
    if (state.get(file) === 'open') found.push([...path.slice(path.indexOf(file)), file].join(' > '));
    if (state.has(file)) return;
    state.set(file, 'open');
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of imports.keys()) visit(file, []);
  return found;
}

const known = new Set(sourceFiles);
const imports = new Map(sourceFiles.map((name) => [name, importsOf(name, known)]));

test('no file imports a layer above it', { timeout: 60_000 }, () => {
  expect([...imports.values()].flat().length).toBeGreaterThan(1000); // it finds imports at all
  expect(upward(imports)).toEqual([]);
});

test('no files import each other in a circle', () => {
  expect(circles(imports)).toEqual([]);
});

test('every name of the table is needed', () => {
  const named = layers.flatMap(([, members]) => members);
  const needed = new Set([...known].map((file) => layerOf(file).member));
  expect(named.filter((member) => member !== '.' && !needed.has(member) && member !== 'api/openapi')).toEqual([]);
});

test('imports of a layer above and circles are found', () => {
  const files = new Set(['values/text.ts', 'shell/Form.tsx', 'users/UsersPage.tsx']);
  const found = new Map([
    ['values/text.ts', importsOf('values/text.ts', files, "import type { Props } from '../shell/Form';")],
    ['shell/Form.tsx', importsOf('shell/Form.tsx', files, "const Page = lazy(() => import('../users/UsersPage'));")],
    ['users/UsersPage.tsx', importsOf('users/UsersPage.tsx', files, "export * from '../values/text';")],
  ]);
  expect(upward(found)).toEqual([
    'values/text.ts (values) imports shell/Form.tsx (session and shell)',
    'shell/Form.tsx (session and shell) imports users/UsersPage.tsx (subjects)',
  ]);
  expect(circles(found)).toEqual(['values/text.ts > shell/Form.tsx > users/UsersPage.tsx > values/text.ts']);
});
