import { describe, expect, test } from 'vitest';
import { parseView } from '../explore/url';
import { parseOpened, serializeOpened } from './opened';
import { decodeState, describeState, encodeState, isSameState, StateError } from './state';

const view = parseView(
  new URLSearchParams(
    'kind=edge&type=KNOWS&view=graph&filter[since][gt:date]=2020-01-01&sort=-since&columns=since,weight' +
      '&steps=[["h","n1"]]&open=edge:e1&saved=v1',
  ),
);

describe('the state of a saved view', () => {
  test('keeps the page, its colours and its positions', () => {
    const positions = new Map([
      ['n1', { x: 1.4, y: -20.6, pinned: true }],
      ['n2', { x: 0, y: 0, pinned: false }],
    ]);
    const state = encodeState({
      view,
      appearance: { node: { KNOWS: { colour: '#112233', caption: 'name', size: 60 } }, edge: { KNOWS: { colour: '#445566', width: 5 } } },
      positions,
    });
    const back = decodeState(JSON.parse(JSON.stringify(state, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))));
    expect(back.view).toEqual({ ...view, open: null, saved: '' });
    expect({ ...back.appearance.node }).toEqual({ KNOWS: { colour: '#112233', caption: 'name', size: 60 } });
    expect({ ...back.appearance.edge }).toEqual({ KNOWS: { colour: '#445566', width: 5 } });
    expect([...back.positions]).toEqual([
      ['n1', { x: 1, y: -21, pinned: true }],
      ['n2', { x: 0, y: 0, pinned: false }],
    ]);
  });

  test.each([
    ['nothing', null],
    ['a list', []],
    ['no version', { address: '' }],
    ['a later version', { version: 2, address: '' }],
    ['no address', { version: 1 }],
    ['a huge address', { version: 1, address: 'a'.repeat(40_000) }],
  ])('is refused: %s', (_, state) => {
    expect(() => decodeState(state)).toThrow(StateError);
  });

  test('of somebody else cannot bring in styles, addresses or prototypes', () => {
    const hostile = JSON.parse(`{"version":1,"address":"https://evil.example/?type=%3Cimg%20src%3Dx%3E&view=x&steps=[1]&open=javascript:1",
      "appearance":{"A":{"colour":"url(https://evil.example)","size":1e9,"caption":7},"__proto__":{"colour":"#000000"},"B":"red"},
      "edgeAppearance":{"A":{"colour":"red","width":1e9}},
      "nodes":[["n1",1e300,0],["n2","0",0],[{},0,0],["n3",1,2,"yes"],"x"],"html":"<script>"}`) as unknown;
    const { view: read, appearance, positions } = decodeState(hostile);
    expect(read).toMatchObject({ view: 'table', open: null, saved: '', conditions: [] });
    expect(appearance.node.A).toEqual({});
    expect(appearance.node.B).toBeUndefined();
    expect(appearance.edge.A).toEqual({});
    expect(({} as Record<string, unknown>).colour).toBeUndefined();
    expect([...positions]).toEqual([['n3', { x: 1, y: 2, pinned: false }]]);
  });

  test('has sizes and widths in whole pixels, and a width may be automatic', () => {
    const { appearance } = decodeState({
      version: 1,
      address: '',
      appearance: { A: { size: 40.5 }, B: { size: 40 } },
      edgeAppearance: { A: { width: 2.5 }, B: { width: 0 } },
    });
    expect({ ...appearance.node }).toEqual({ A: {}, B: { size: 40 } });
    expect({ ...appearance.edge }).toEqual({ A: {}, B: { width: 0 } });
  });

  test('has at most 2,000 nodes', () => {
    const nodes = Array.from({ length: 3000 }, (_, i) => [`n${i}`, i, i]);
    expect(decodeState({ version: 1, address: '', nodes }).positions.size).toBe(2000);
  });

  test('is the same until the view, a colour or a position differs', () => {
    const saved = {
      view,
      appearance: { node: { KNOWS: { size: 60 } }, edge: {} },
      positions: new Map([['n1', { x: 1, y: 2, pinned: true }]]),
    };
    const other = { positions: new Map([['n2', { x: 9, y: 9 }]]) };
    expect(
      isSameState(saved, {
        ...saved,
        ...other,
        view: { ...view, open: null, saved: 'x@1' },
        appearance: { node: { A: {}, KNOWS: { size: 60, colour: undefined } }, edge: {} },
      }),
    ).toBe(true);
    expect(isSameState(saved, { ...saved, view: { ...view, sort: '' } })).toBe(false);
    expect(isSameState(saved, { ...saved, appearance: { node: {}, edge: {} } })).toBe(false);
    const withIcon = { ...saved.appearance, node: { KNOWS: { size: 60, icon: 'Film' } } };
    expect(isSameState(saved, { ...saved, appearance: withIcon })).toBe(false);
    expect(isSameState(saved, { ...saved, appearance: { ...saved.appearance, edge: { KNOWS: { width: 3 } } } })).toBe(false);
    expect(isSameState(saved, { ...saved, positions: new Map([['n1', { x: 1, y: 2 }]]) })).toBe(false);
    expect(isSameState(saved, { ...saved, positions: new Map([['n1', { x: 1, y: 5, pinned: true }]]) })).toBe(false);
  });

  test('is described in words', () => {
    const described = new Map(
      describeState({ view, appearance: { node: {}, edge: {} }, positions: new Map([['n1', { x: 1, y: 2, pinned: true }]]) }),
    );
    expect(described.get('Shows')).toBe('KNOWS edges as a graph');
    expect(described.get('Order')).toBe('since descending');
    expect(described.get('Nodes placed')).toBe('1, 1 pinned');
  });
});

test('the address names the saved view and its version', () => {
  expect(parseOpened(serializeOpened({ id: 'v1', version: 3 }))).toEqual({ id: 'v1', version: 3 });
  for (const text of ['', 'v1', '@1', 'v1@', 'v1@x', 'v1@1@2', `${'v'.repeat(65)}@1`]) expect(parseOpened(text)).toBeNull();
});
