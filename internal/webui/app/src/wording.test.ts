// One name for one thing: the texts of the interface use the terms of docs/glossary.md and none that they have replaced.
import ts from 'typescript';
import { expect, test } from 'vitest';
import { visibleAdminPages, visiblePages } from './shell/pages';
import { parseSource, sourceFiles } from './sources';

/** What replaced terms look like, and the terms to use. */
const replaced: [RegExp, string][] = [
  [/\btake\b.*\baway\b|\bdrop (the )?filter/i, 'Remove filter'],
  [/\bgone\b|\bremoved for good\b/i, 'Deleted'],
  [/\blook again\b|\breload\b|\bbring up to date\b/i, 'Refresh'],
  [/\bon what\b|\bentity id\b/i, 'Target ID'],
  [/\b(is|are) there already\b|\bduplicate ids\b/, 'Duplicate IDs: reject, skip, merge'],
  [/\barrange\b|\blay out\b/i, 'Re-run layout'],
  [/\bby itself\b/i, 'Automatic'],
  [/\bvertex|\bvertices\b|\brelations?\b/i, 'node, edge'],
  [/\bsign (in|out)\b/i, 'Log in, Log out'],
  [/\bids\b|\bthe id\b|\buuid\b/, 'ID'],
  [/\banew\b|\btold\b|\bpatience\b|\bhears of\b|\bsave that\b|\bnothing but\b|\bcomes to\b/i, 'plain technical English'],
];

/** The spelling of other variants of English: the texts use the American one. */
const british = new RegExp(
  [
    'colour|favourite|neighbour|behaviour',
    '\\bgrey\\b|\\bcentre|\\bmetres?\\b',
    'catalogue|cancelled|cancelling|labelled',
    '(organ|recogn|normal|optim|minim|summar|author|custom|serial)is(e|ing|ation)|analys(e|ing)',
    'licence|artefact|dialogue',
  ].join('|'),
  'i',
);

/** The members and attributes whose values are shown. */
const shownNames = /^(aria-label|label|title|placeholder|description|message|name|text|nothingFound|confirm|subject|hint)$/;

/** The texts that a file shows: what stands in elements, and the values of attributes and members that are shown. */
function textsOf(name: string, isText = (_: string) => false): string[] {
  const file = parseSource(name);
  const found: string[] = [];
  const visit = (node: ts.Node, shown: boolean) => {
    if (ts.isJsxText(node)) found.push(node.text);
    else if (
      (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) &&
      (shown || isText(node.text))
    )
      found.push(node.text);
    const isShownAttribute =
      (ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) && shownNames.test(node.name.getText().replaceAll("'", ''));
    const isCode = ts.isJsxAttribute(node) || ts.isPropertyAssignment(node);
    const inElement = ts.isJsxExpression(node) && ts.isJsxElement(node.parent);
    ts.forEachChild(node, (child) => visit(child, isShownAttribute || inElement || (shown && !isCode)));
  };
  visit(file, false);
  return found.map((text) => text.trim().replace(/\s+/g, ' ')).filter((text) => text !== '');
}

test('no text uses a replaced term', { timeout: 60_000 }, () => {
  const texts = sourceFiles.flatMap((name) => textsOf(name).map((text) => ({ name, text })));
  expect(texts.length).toBeGreaterThan(800); // it reads the texts at all
  const wrong = texts.flatMap(({ name, text }) =>
    replaced.flatMap(([term, use]) => (term.test(text) ? [`${name}: "${text}" (${use})`] : [])),
  );
  expect(wrong).toEqual([]);
});

test('every text is in American English', { timeout: 60_000 }, () => {
  const isText = (literal: string) => /^[A-Z]/.test(literal); // also in lists of labels, and in arguments
  expect(
    sourceFiles.flatMap((name) =>
      textsOf(name, isText)
        .filter((text) => british.test(text))
        .map((text) => `${name}: "${text}"`),
    ),
  ).toEqual([]);
  expect(british.test('Colour of nodes')).toBe(true);
});

test('the patterns find the terms', () => {
  for (const text of ['Take the filter away', 'Gone', 'Look again', 'Arrange anew', 'By itself', 'A line whose id is there already'])
    expect(replaced.some(([term]) => term.test(text))).toBe(true);
});

test('a page has a unique name, which is no other name of the interface', () => {
  const rights = { see: true, admin: true, query: true, console: true };
  const names = [...visiblePages(rights), ...visibleAdminPages(rights)].map((page) => page.name);
  expect(new Set(names).size).toBe(names.length);
  // These are the list of types, and the search of the graph.
  for (const taken of ['Types', 'Search', 'Find']) expect(names).not.toContain(taken);
});
