// For the tests that read the source of the web interface.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const source = import.meta.dirname;

/** The names of the files of TypeScript that are written by hand, without tests. */
export const sourceFiles = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|openapi\.ts$/.test(name),
);

/** Parses a file; text is what it contains, if it is not one of the source. */
export const parseSource = (name: string, text = readFileSync(join(source, name), 'utf8')) =>
  ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);

/** The name and the text of every stylesheet. */
export const stylesheets = (): [string, string][] =>
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => [name, readFileSync(join(source, name), 'utf8')]);
