// Prints the sizes of the built interface, compressed as the gateway sends it.
import { readdirSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const assets = new URL('../dist/assets/', import.meta.url);
const page = readFileSync(new URL('../dist/index.html', import.meta.url), 'utf8');
const rows = readdirSync(assets).map((name) => {
  const content = readFileSync(new URL(name, assets));
  return {
    name: name.replace(/-.{8}(?=\.)/, ''),
    first: page.includes(name),
    script: name.endsWith('.js'),
    size: gzipSync(content, { level: 9 }).length,
  };
});
const kib = (bytes) => `${(bytes / 1024).toFixed(0)} KiB`;
const sum = (of) => rows.filter(of).reduce((all, row) => all + row.size, 0);
console.log('| what | gzipped |\n|---|---|');
console.log(`| script of the first load | ${kib(sum((r) => r.script && r.first))} |`);
console.log(`| styles of the first load | ${kib(sum((r) => !r.script && r.first))} |`);
for (const row of rows.filter((r) => !r.first && r.size > 1024).sort((a, b) => b.size - a.size))
  console.log(`| ${row.name}, when it is needed | ${kib(row.size)} |`);
