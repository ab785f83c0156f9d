// @vitest-environment node
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LinkedText } from './LinkedText';

test.each([
  ['https://films.example/12?a=b', 'https://films.example/12?a=b', true],
  ['javascript:alert(1)', 'javascript:alert(1)', false],
  ['https://', 'https://', false],
  ['see https://films.example', 'see https://films.example', false],
  ['https://films.example/\u202e', 'https://films.example/\\u202e', false],
  ['https://films.example/12', 'https://films.example/', false],
  [['https://films.example'], 'https://films.example', false],
])('%j shown as %j is a link: %s', (value, text, linked) => {
  const html = renderToStaticMarkup(<LinkedText value={value} text={text} />);
  expect(html.startsWith('<a href="https://')).toBe(linked);
});
