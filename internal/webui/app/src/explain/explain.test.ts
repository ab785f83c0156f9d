import { expect, test } from 'vitest';
import { explainPath, formOf, needsId, parseBody, requestOf, requestTemplates } from './explain';

test.each(requestTemplates.map(({ method, path, value }) => [value, method, path.replace('{id}', 'a%2Fb')]))(
  'the request %s is shown by its template',
  (value, method, path) => {
    const form = formOf(method, path);
    expect(form.template).toBe(value);
    expect(form.id).toBe(needsId(form) ? 'a/b' : '');
    expect(requestOf(form)).toEqual({ method, path });
  },
);

test.each([
  ['GET', '/api/nodes/a/edges'],
  ['GET', '/api/nodes?type=A'],
  ['POST', '/api/batch'],
  ['HEAD', '/api/nodes/a'],
  ['GET', ''],
])('%s %s is another request', (method, path) => {
  const form = formOf(method, path);
  expect(form.template).toBe('other');
  expect(requestOf(form)).toEqual({ method, path });
});

test('a link names the user or the entity', () => {
  const params = new URL(explainPath({ entity: { kind: 'edge', id: '5:a:1' } }), 'http://x').searchParams;
  expect(formOf(params.get('method')!, params.get('path')!)).toMatchObject({ template: 'see-edge', id: '5:a:1' });
  expect(explainPath({ user: 'ann b' })).toBe('/explain?user=ann+b');
});

test('a body keeps 64-bit integers, and what is not JSON is an error of its field', () => {
  expect(parseBody(' ')).toBeUndefined();
  expect(parseBody('{"properties":{"n":9007199254740993}}')).toEqual({ properties: { n: 9007199254740993n } });
  expect(() => parseBody('{')).toThrow('Invalid input');
});
