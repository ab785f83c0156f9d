// The limits that CONTRIBUTING.md states for components; archtest checks those of files and lines.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const maxLines = 100;

/** The components and hooks of a file that have more lines than the limit. */
function tooLong(name: string, text: string): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
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

test('no component and no hook has more than 100 lines', () => {
  const source = import.meta.dirname;
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|openapi\.ts$/.test(name),
  );
  expect(files.flatMap((name) => tooLong(name, readFileSync(join(source, name), 'utf8')))).toEqual([]);
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
