// What a screen reader finds on a page: Chromium's own accessibility tree.
import type { Page } from 'playwright-core';

export interface TreeNode {
  role: string;
  name: string;
  /** What is read after the name. */
  description: string;
  level: number | null;
  children: TreeNode[];
}

interface Property {
  name: string;
  value: { value?: unknown };
}
interface RawNode {
  nodeId: string;
  ignored: boolean;
  role?: { value?: unknown };
  name?: { value?: unknown };
  description?: { value?: unknown };
  properties?: Property[];
  childIds?: string[];
}

export async function readTree(page: Page): Promise<TreeNode> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as { nodes: RawNode[] };
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const childrenOf = (raw: RawNode): TreeNode[] =>
    (raw.childIds ?? []).flatMap((id) => {
      const child = byId.get(id);
      return child === undefined ? [] : child.ignored ? childrenOf(child) : [convert(child)];
    });
  const convert = (raw: RawNode): TreeNode => {
    const level = raw.properties?.find((property) => property.name === 'level')?.value.value;
    return {
      role: String(raw.role?.value ?? ''),
      name: String(raw.name?.value ?? '').trim(),
      description: String(raw.description?.value ?? '').trim(),
      level: typeof level === 'number' ? level : null,
      children: childrenOf(raw),
    };
  };
  return convert(nodes[0]!);
}

const operable = new Set([
  'button',
  'link',
  'textbox',
  'searchbox',
  'combobox',
  'checkbox',
  'radio',
  'switch',
  'slider',
  'spinbutton',
  'tab',
  'menuitem',
  'option',
  'columnheader',
  'grid',
  'listbox',
  'dialog',
  'progressbar',
  'img',
  'image',
]);
const controlRoles = new Set(['button', 'link', 'textbox', 'combobox', 'tab', 'menuitem', 'option']);
const landmarks = new Set(['main', 'banner', 'navigation', 'complementary', 'search', 'region', 'contentinfo', 'form']);
// The roles whose names distinguish controls with the same name.
const contexts = new Set([
  ...landmarks,
  'row',
  'listitem',
  'group',
  'radiogroup',
  'dialog',
  'alertdialog',
  'grid',
  'table',
  'tabpanel',
  'list',
]);

const textOf = (node: TreeNode): string => (node.children.length === 0 ? node.name : node.children.map(textOf).join(' ')).trim();

/** Names that are missing or mislead, landmarks that cannot be distinguished, and headings out of order. */
export function treeFindings(tree: TreeNode): string[] {
  const found: string[] = [];
  const controls = new Map<string, number>();
  const landmarkNames: string[] = [];
  const headings: TreeNode[] = [];

  function visit(node: TreeNode, context: string, inControl = false) {
    const what = `${node.role} "${node.name}"`;
    // The symbols inside of a control need no name beside its own.
    const isSymbol = inControl && ['img', 'image'].includes(node.role);
    if (operable.has(node.role) && node.name === '' && !isSymbol)
      found.push(`a ${node.role} without a name in ${context || 'the page'}: ${textOf(node).slice(0, 60)}`);
    // The browser gives the same name to the buttons of all its date fields.
    const isOfBrowser = /^Show .* picker/.test(node.name);
    if (!isOfBrowser && ['button', 'link', 'textbox', 'checkbox', 'combobox', 'menuitem'].includes(node.role))
      controls.set(`${what} in ${context || 'the page'}`, (controls.get(`${what} in ${context || 'the page'}`) ?? 0) + 1);
    if (landmarks.has(node.role)) landmarkNames.push(what);
    if (node.role === 'heading') headings.push(node);
    const isContext = contexts.has(node.role);
    // Rows and items without a name are distinguished by their text.
    const inside = isContext
      ? `${context} > ${node.role} ${node.name || (['row', 'listitem'].includes(node.role) ? textOf(node).slice(0, 120) : '')}`
      : context;
    for (const child of node.children) visit(child, inside, inControl || controlRoles.has(node.role));
  }
  visit(tree, '');

  for (const [control, count] of controls) if (count > 1) found.push(`${count} times ${control}`);
  if (landmarkNames.filter((place) => place.startsWith('main ')).length !== 1)
    found.push(`${landmarkNames.filter((place) => place.startsWith('main ')).length} main landmarks`);
  for (const place of new Set(landmarkNames))
    if (landmarkNames.filter((other) => other === place).length > 1) found.push(`several landmarks ${place}`);
  const levels = headings.map((heading) => heading.level ?? 0);
  if (levels.filter((level) => level === 1).length !== 1) found.push(`${levels.filter((level) => level === 1).length} headings of level 1`);
  levels.forEach((level, index) => {
    const before = index === 0 ? 0 : levels[index - 1]!;
    if (level > before + 1) found.push(`a heading of level ${level} after one of level ${before}: ${headings[index]!.name}`);
  });
  return found;
}

const cellControls = new Set(['button', 'link', 'checkbox']);

const isIn = (roles: Set<string>, node: TreeNode): TreeNode[] =>
  roles.has(node.role) ? [node] : node.children.flatMap((child) => isIn(roles, child));
const textBeside = (node: TreeNode): string =>
  (cellControls.has(node.role) ? '' : node.children.length === 0 ? node.name : node.children.map(textBeside).join(' '))
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Rows of grids without a header, and texts in their cells that are not read with the controls beside them, between which the focus moves.
 */
export function gridFindings(tree: TreeNode): string[] {
  const rows = isIn(new Set(['grid']), tree)
    .flatMap((grid) => isIn(new Set(['row']), grid))
    .filter((row) => isIn(new Set(['columnheader']), row).length === 0);
  return rows.flatMap((row) => {
    const cells = isIn(new Set(['gridcell', 'rowheader']), row);
    const unread = cells.filter((cell) => {
      const controls = isIn(cellControls, cell);
      return controls.length > 0 && textBeside(cell) !== '' && !controls.every((control) => control.description.includes(textBeside(cell)));
    });
    const headed = isIn(new Set(['rowheader']), row).some((header) => textOf(header) !== '');
    return [
      ...(headed ? [] : [`a row without a header: ${textOf(row).slice(0, 60)}`]),
      ...unread.map((cell) => `not read with its controls: ${textBeside(cell)}`),
    ];
  });
}

// What holds data, whose names say nothing of the interface.
const ofData = new Set(['row', 'listitem', 'option', 'gridcell', 'definition', 'term', 'article']);

/** What a page offers, without its data: the names of its landmarks, headings and controls that do not end in one of the data, sorted. */
export function outlineOf(tree: TreeNode, ofTypesAndProperties: string[]): string[] {
  const found = new Set<string>();
  const data = new Set(ofTypesAndProperties.map((name) => name.toLowerCase()));
  // The link to change sets says how many wait, and the pages are the same in both themes.
  const isOfData = (name: string) =>
    name.startsWith('Change sets') ||
    name.endsWith(' theme') ||
    data.has(name.toLowerCase()) ||
    data.has(name.split(' ').at(-1)!.toLowerCase());
  function visit(node: TreeNode) {
    const isPart = landmarks.has(node.role) || controlRoles.has(node.role) || ['heading', 'columnheader', 'radio'].includes(node.role);
    if (isPart && node.name !== '' && !/\d/.test(node.name) && !isOfData(node.name)) found.add(`${node.role} ${node.name}`);
    for (const child of node.children) {
      const holdsData = ofData.has(child.role) && !child.children.some(({ role }) => role === 'columnheader');
      if (!holdsData) visit(child);
    }
  }
  visit(tree);
  return [...found].sort();
}
