// The limits that CONTRIBUTING.md states for components; archtest checks those of files and lines.
import ts from 'typescript';
import { expect, test } from 'vitest';
import { parseSource, sourceFiles, stylesheets } from './sources';

const maxLines = 100;

/** The components and hooks of a file that have more lines than the limit. */
function tooLong(name: string, text?: string): string[] {
  const file = parseSource(name, text);
  const found: string[] = [];
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const check = (named: ts.Node | undefined, body: ts.Node) => {
    const lines = lineOf(body.getEnd()) - lineOf(body.getStart()) + 1;
    if (named && /^([A-Z]|use[A-Z])/.test(named.getText()) && lines > maxLines)
      found.push(`${name}: ${named.getText()} has ${lines} lines`);
  };
  const visit = (node: ts.Node) => {
    if (ts.isFunctionDeclaration(node)) check(node.name, node);
    if (ts.isVariableDeclaration(node) && node.initializer && !ts.isObjectLiteralExpression(node.initializer)) check(node.name, node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test('no component and no hook has more than 100 lines', { timeout: 60_000 }, () => {
  expect(sourceFiles.length).toBeGreaterThan(100); // it reads the files at all
  expect(sourceFiles.flatMap((name) => tooLong(name))).toEqual([]);
});

test.each([
  ['a component', 'function Form() {', '}', ['x.tsx: Form has 101 lines']],
  ['a component in a call', 'const Form = memo(() => {', '});', ['x.tsx: Form has 101 lines']],
  ['a hook', 'export function useForm() {', '}', ['x.tsx: useForm has 101 lines']],
  ['another function', 'function format() {', '}', []],
])('%s of 101 lines', (_, first, last, want) => {
  expect(tooLong('x.tsx', [first, ...Array<string>(99).fill('  call();'), last].join('\n'))).toEqual(want);
});

test('a component of 100 lines is not too long', () => {
  expect(tooLong('x.tsx', ['function Form() {', ...Array<string>(98).fill('  call();'), '}'].join('\n'))).toEqual([]);
});

test('no row of a table inherits what is not inherited by itself', () => {
  // The browser then computes the style of each new cell from nothing, and the table scrolls at a fifth of the frames.
  const styles = stylesheets();
  expect(styles.length).toBeGreaterThan(5);
  const inherited = /^\s*(background|border|box-shadow|display|height|margin|outline|padding|position|width)[\w-]*: inherit/m;
  expect(styles.filter(([, text]) => inherited.test(text)).map(([name]) => name)).toEqual([]);
});
