import { expect, test, vi } from 'vitest';
import { explorePath, parseView, unknownParameters } from './url';

vi.mock('react-router', () => ({}));

test('the end of edges is kept in the address of a list of edges, and no other', () => {
  const kept = (kind: 'node' | 'edge') => parseView(new URLSearchParams(explorePath({ kind, end: 'n1' }).split('?')[1])).end;
  expect([kept('edge'), kept('node')]).toEqual(['n1', '']);
});

test.each([[['p:name', 'id']], [['p:a,b', 'p:c']], [['p:[x']], [null]])('the columns %j are kept in the address', (columns) => {
  expect(parseView(new URLSearchParams(explorePath({ columns }).split('?')[1])).columns).toEqual(columns);
});

test('values of a link that the page does not know are named', () => {
  const unknown = (address: string) => unknownParameters(new URLSearchParams(address));
  expect(unknown('kind=xyz&view=foo&open=thing:1')).toEqual(['kind=xyz', 'view=foo', 'open=thing:1']);
  expect(unknown('open=node')).toEqual(['open=node']);
  expect(unknown('open=edge:')).toEqual(['open=edge:']);
  expect(unknown('ask={}&view=map')).toEqual(['view=map']);
  expect(unknown('q=port&view=graph')).toEqual(['view=graph']);
  for (const address of [
    '',
    'ask={}&view=graph',
    'q=port&view=table',
    'kind=node',
    'kind=edge&view=map',
    'view=table&open=node:a:b',
    'kind=&open=',
  ])
    expect(unknown(address)).toEqual([]);
});
