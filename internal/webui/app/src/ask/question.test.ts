import { describe, expect, test } from 'vitest';
import type { Schema } from '../api/graph';
import type { Condition } from '../explore/filters';
import { referencesOf, subjectsOf } from './SummaryMenu';
import { connectionsOf, questionOfConnection, questionOfList } from './begin';
import { conditionsOf, conditionsOfPart, filterNode, filterPart, filtersOf, partsOf } from './conditions';
import { changeRendered, placeNow } from './place';
import {
  addChain,
  addFilters,
  beginQuestion,
  changeNode,
  cutChain,
  drawnQuestion,
  extendChain,
  nextOrder,
  parseQuestion,
  questionBody,
  serializeQuestion,
  unreadParts,
  type Filter,
  type Question,
} from './question';
import { withParameters } from './parameters';
import { fixParameters, settingsByCondition } from '../console/pattern';
import { newParameter } from '../console/saveForm';
import { bodyText } from '../api/json';
import { parseView } from '../explore/url';

const main = { of: 'match', index: 0 } as const;
const acted = extendChain(beginQuestion({ type: 'Person' }), main, { edge: 'ACTED_IN', direction: 'out', type: 'Film' });

const filtered = (question: Question, filter: Filter | undefined) => changeNode(question, main, 0, (node) => ({ ...node, filter }));

const partOf = (conditions: Condition[]) => conditionsOfPart(partsOf(conditions)!);
const filterOf = (conditions: Condition[]) => partOf(conditions)?.filter;

const films = {
  node_types: [],
  edge_types: [
    { type: 'ACTED_IN', connections: [{ source_type: 'Person', target_type: 'Film', count: 60 }] },
    { type: 'KNOWS', connections: [{ source_type: 'Person', target_type: 'Person', count: 70 }] },
  ],
} as unknown as Schema;

describe('a question', () => {
  test('names its nodes after their types, and what must not exist has no names', () => {
    const two = extendChain(acted, main, { edge: 'ACTED_IN', direction: 'in', type: 'Person' });
    const whole = addChain(two, 'without', 'person2', { edge: 'DIRECTED', direction: 'out', type: 'Film' });
    expect(questionBody(whole)).toEqual({
      match: [
        [
          { as: 'person', type: 'Person' },
          { edge: 'ACTED_IN' },
          { as: 'film', type: 'Film' },
          { edge: 'ACTED_IN', direction: 'in' },
          { as: 'person2', type: 'Person' },
        ],
      ],
      without: [[{ as: 'person2' }, { edge: 'DIRECTED' }, { type: 'Film' }]],
    });
    expect(parseQuestion(serializeQuestion(whole))).toEqual(whole);
  });

  test('loses the branches, columns and orders of what is cut', () => {
    const branched = addChain(acted, 'match', 'film', { edge: 'PRODUCED_BY', direction: 'out', type: 'Studio' });
    const shown = {
      ...branched,
      columns: ['person.name', 'studio'],
      sort: ['-film.rating'],
      measures: [{ op: 'count' as const, of: 'studio' }],
    };
    const cut = cutChain(shown, main, 0);
    expect(cut).toMatchObject({ columns: ['person.name'], sort: [], measures: [] });
    expect(cut.match).toHaveLength(1);
  });

  test('for the canvas binds every single edge and shows whole rows', () => {
    const long = { ...acted, columns: ['film.title'], groupBy: ['film.year'] };
    expect(questionBody(drawnQuestion(long))).toEqual({
      match: [
        [
          { as: 'person', type: 'Person' },
          { edge: 'ACTED_IN', as: 'acted_in' },
          { as: 'film', type: 'Film' },
        ],
      ],
    });
    const hops = parseQuestion('{"match":[[{"as":"a","type":"Person"},{"edge":"KNOWS","hops":[1,2]},{}]]}')!;
    expect(questionBody(drawnQuestion(hops))).toEqual({
      match: [[{ as: 'a', type: 'Person' }, { edge: 'KNOWS', hops: [1n, 2n] }, { as: 'node' }]],
    });
  });

  test('keeps the kinds of values of its conditions, and is not read from what is no question', () => {
    const conditions = conditionsOf({
      filter: { rating: { gt: 8 }, year: { eq: 1999n }, title: { in: ['8', '007'] }, cut: { exists: false } },
    });
    expect(filterOf(conditions)).toEqual({ rating: { gt: 8 }, year: { eq: 1999n }, title: { in: ['8', '007'] }, cut: { exists: false } });
    expect(serializeQuestion(filtered(acted, filterOf(conditions)))).toContain('"rating":{"gt":8.0},"year":{"eq":1999}');
    for (const text of ['', '[]', '{"match":[]}', '{"match":[[{},{}]]}', '{"match":"x"}']) expect(parseQuestion(text)).toBeNull();
  });

  test('begins with a list and its filters', () => {
    const address = 'kind=edge&type=ACTED_IN&filter[source:name][eq:string]=Ann&filter[role][eq:string]=Lead';
    expect(questionBody(questionOfList(films, parseView(new URLSearchParams(address)))!)).toEqual({
      match: [
        [
          { as: 'person', type: 'Person', filter: { name: { eq: 'Ann' } } },
          { edge: 'ACTED_IN', filter: { role: { eq: 'Lead' } } },
          { as: 'film', type: 'Film' },
        ],
      ],
    });
    expect(questionOfList(films, parseView(new URLSearchParams('')))).toBeNull();
    expect(connectionsOf(films, 'Person').map(({ edge, direction }) => `${direction} ${edge}`)).toEqual([
      'out KNOWS',
      'in KNOWS',
      'out ACTED_IN',
    ]);
    expect(questionOfConnection('KNOWS', 'Person', null).match[0]!.links[0]!.node).toEqual({ as: 'node' });
  });

  test('of a list is about the same rows, or there is none', () => {
    const schema = {
      node_types: [],
      edge_types: [
        { type: 'ACTED_IN', connections: [{ source_type: 'Person', target_type: 'Film', count: 60 }] },
        {
          type: 'OWNS',
          connections: [
            { source_type: 'Person', target_type: 'Film', count: 9 },
            { source_type: 'Studio', target_type: 'Film', count: 2 },
          ],
        },
        {
          type: 'LINKS',
          connections: [
            { source_type: 'Person', target_type: 'Film', count: 9 },
            { source_type: 'Studio', target_type: 'City', count: 2 },
          ],
        },
      ],
    } as unknown as Schema;
    const matchOf = (address: string) => {
      const question = questionOfList(schema, parseView(new URLSearchParams(address)));
      return question && questionBody(question).match;
    };
    expect(matchOf('kind=edge&type=ACTED_IN&end=x1&filter[role][eq:string]=Lead')).toEqual([
      [{ as: 'node', id: 'x1' }, { edge: 'ACTED_IN', direction: 'both', filter: { role: { eq: 'Lead' } } }, { as: 'node2' }],
    ]);
    expect(matchOf('kind=edge&type=ACTED_IN&end=x1&filter[source:name][eq:string]=Ann')).toBeNull();
    expect(matchOf('kind=edge&type=OWNS')).toEqual([[{ as: 'node' }, { edge: 'OWNS' }, { as: 'film', type: 'Film' }]]);
    expect(matchOf('kind=edge&type=LINKS')).toBeNull();
    expect(matchOf('type=Person&filter[languages][has]=English&filter[languages][has]=German')).toEqual([
      [{ as: 'person', type: 'Person', filter: { languages: { has: 'English' } } }],
      [{ as: 'person', filter: { languages: { has: 'German' } } }],
    ]);
  });

  test('is sorted by a column ascending, descending, then not at all', () => {
    expect(nextOrder([], 'film')).toEqual(['film']);
    expect(nextOrder(['film'], 'film')).toEqual(['-film']);
    expect(nextOrder(['-film'], 'film')).toEqual([]);
  });

  test('sums numbers only', () => {
    const properties = [
      { name: 'title', types: ['String'] },
      { name: 'rating', types: ['Float'] },
    ];
    const schema = { node_types: [{ type: 'Person', properties }], edge_types: [] } as unknown as Schema;
    const offered = (op: 'count' | 'mean' | 'sum' | 'min') =>
      subjectsOf(op, referencesOf(beginQuestion({ type: 'Person' }), schema)).map(({ name }) => name);
    expect(offered('sum')).toEqual(['person.rating']);
    expect(offered('mean')).toEqual(['person.rating']);
    expect(offered('min').sort()).toEqual(['person.rating', 'person.title']);
    expect(offered('count')).toContain('person');
  });

  test('is saved with its conditions as parameters', () => {
    const filter = { rating: { gt: 8, lt: 9.5 }, title: { in: ['A', 'B'], exists: true }, 'odd name': { nin: [1n, 'x'] } };
    const { pattern, drafts } = withParameters(filtered(acted, filter));
    expect((pattern.match as unknown[][])[0]![0]).toEqual({
      as: 'person',
      type: 'Person',
      filter: {
        rating: { gt: { $param: 'person_rating' }, lt: { $param: 'person_rating2' } },
        title: { in: { $param: 'person_title' }, exists: true },
        'odd name': { nin: [1n, 'x'] },
      },
    });
    expect(drafts).toEqual({
      person_rating: { kind: 'Float', list: false, texts: ['8.0'] },
      person_rating2: { kind: 'Float', list: false, texts: ['9.5'] },
      person_title: { kind: 'String', list: true, texts: ['A', 'B'] },
    });
  });

  test('keeps a condition that is fixed, and the settings of parameters by their conditions', () => {
    const saved = (filter: Filter) => withParameters(filtered(acted, filter));
    const { pattern } = saved({ rating: { gt: 8, lt: 9.5 } });
    const fixed = fixParameters(pattern, { person_rating: 8 });
    expect((fixed.match as unknown[][])[0]![0]).toMatchObject({ filter: { rating: { gt: 8, lt: { $param: 'person_rating2' } } } });
    const ofCaller = { ...newParameter, source: '$user.id' } as const;
    // Without the first condition, the second has its name.
    const { pattern: shorter, drafts } = saved({ rating: { lt: 9.5 } });
    expect(Object.keys(drafts)).toEqual(['person_rating']);
    const earlier = { person_rating: newParameter, person_rating2: ofCaller };
    expect(settingsByCondition(shorter, pattern, earlier)).toEqual({ person_rating: ofCaller });
    expect(settingsByCondition(pattern, fixed, { person_rating2: ofCaller })).toEqual({
      person_rating: { ...newParameter, source: 'fixed' },
      person_rating2: ofCaller,
    });
    expect(settingsByCondition(saved({ name: { eq: 'Ann' } }).pattern, pattern, earlier)).toEqual({});
  });

  test('has alternatives, of which a part meets one', () => {
    const address = 'type=Person&filter[born][gt]=1960&any[1][name][eq:string]=Ann&any[1][born][lt]=1970&any[2][name][eq:string]=Bob';
    const any = [{ name: { eq: 'Ann' }, born: { lt: 1970n } }, { name: { eq: 'Bob' } }];
    const question = questionOfList(films, parseView(new URLSearchParams(address)))!;
    expect(questionBody(question).match).toEqual([[{ as: 'person', type: 'Person', filter: { born: { gt: 1960n } }, any }]]);
    expect(parseQuestion(serializeQuestion(question))).toEqual(question);
    const { pattern, drafts } = withParameters(question);
    expect(Object.keys(drafts)).toEqual(['person_born', 'person_name', 'person_born2', 'person_name2']);
    expect(fixParameters(pattern, { person_born: 1960n, person_name: 'Ann', person_born2: 1970n, person_name2: 'Bob' })).toEqual(
      questionBody(question),
    );
    const twice = 'type=Person&any[1][name][contains]=a&any[1][name][contains]=b&any[2][born]=1';
    expect(questionOfList(films, parseView(new URLSearchParams(twice)))).toBeNull();
    const ofEdges = 'kind=edge&type=ACTED_IN&any[1][role][eq:string]=Lead&any[2][role][eq:string]=Cameo';
    expect(questionBody(questionOfList(films, parseView(new URLSearchParams(ofEdges)))!).match).toMatchObject([
      [{}, { edge: 'ACTED_IN', any: [{ role: { eq: 'Lead' } }, { role: { eq: 'Cameo' } }] }, {}],
    ]);
    const atEnd = 'kind=edge&type=ACTED_IN&any[1][role][eq:string]=Lead&any[2][source:name][eq:string]=Ann';
    expect(questionOfList(films, parseView(new URLSearchParams(atEnd)))).toBeNull();
  });

  test('has several conditions of one property and operator', () => {
    const contains = (text: string) => ({ property: 'name', operator: 'contains', kind: 'String', text }) as const;
    const [filter, ...further] = filtersOf([contains('a'), contains('b'), contains('c')]);
    const asked = addFilters(filtered(acted, filter), 'person', further);
    expect(questionBody(asked).match).toEqual([
      [{ as: 'person', type: 'Person', filter: { name: { contains: 'a' } } }, { edge: 'ACTED_IN' }, { as: 'film', type: 'Film' }],
      [{ as: 'person', filter: { name: { contains: 'b' } } }],
      [{ as: 'person', filter: { name: { contains: 'c' } } }],
    ]);
    expect(parseQuestion(serializeQuestion(asked))).toEqual(asked);
  });

  test('keeps two conditions of one property and operator in any part, and refuses what it cannot say', () => {
    const contains = (text: string, any = 0) =>
      ({ property: 'name', operator: 'contains', kind: 'String', text, ...(any ? { any } : {}) }) as Condition;
    const [a, b, c] = [contains('a'), contains('b'), contains('c')] as [Condition, Condition, Condition];
    const hop = filterPart(acted.match[0]!.links[0]!.hop, () => partsOf([a, b]))!;
    expect(hop).toEqual({ edge: ['ACTED_IN'], direction: 'out', filter: { name: { contains: 'a' } }, any: [{ name: { contains: 'b' } }] });
    expect(conditionsOf(hop)).toEqual([a, b]);
    expect(filterPart(hop, () => partsOf([a, b, c]))).toBeNull();
    expect(filterPart(hop, () => partsOf([a, b, contains('d', 1), contains('e', 2)]))).toBeNull();
    expect(partsOf([contains('d', 1), contains('e', 1), contains('f', 2)])).toBeNull();
    // A node with a name has chains of its own for more, as long as there may be more.
    const many = Array.from({ length: 5 }, (_, i) => contains(String(i)));
    expect(filterNode(acted, main, 1, () => partsOf(many.slice(0, 4)))!.match.map(({ first }) => first.as)).toEqual([
      'person',
      'film',
      'film',
      'film',
    ]);
    expect(filterNode(acted, main, 1, () => partsOf(many))).toBeNull();
    const edges = 'kind=edge&type=ACTED_IN&filter[role][contains]=a&filter[role][contains]=b';
    expect(questionBody(questionOfList(films, parseView(new URLSearchParams(edges)))!).match).toMatchObject([
      [{}, { filter: { role: { contains: 'a' } }, any: [{ role: { contains: 'b' } }] }, {}],
    ]);
  });
});

describe('what was rendered', () => {
  test.each([
    ['is found by its value', ['a', 'c'], ['a', 'b', 'c'], 2, 1],
    ['is gone', ['a', 'c'], ['a', 'b', 'c'], 1, -1],
    ['is gone if fewer are equal', ['a', 'a'], ['a', 'a', 'a'], 0, -1],
    ['is the second of two that are equal', ['b', 'a', 'a'], ['a', 'a'], 1, 2],
    ['has changed at its place', ['a', 'x', 'c'], ['a', 'b', 'c'], 1, 1],
    ['is no other that came to its place', ['c', 'd'], ['b', 'c'], 0, -1],
  ])('%s', (_, now, rendered, index, place) => expect(placeNow(now, rendered, index)).toBe(place));

  test('is changed where it is now', () => {
    const branch = (question: Question, edge: string) => addChain(question, 'match', 'film', { edge, direction: 'out', type: 'Studio' });
    const two = branch(branch(acted, 'A'), 'B');
    const cut = (now: Question, index: number) =>
      changeRendered(now, two, { of: 'match', index }, 1, (found, place) => cutChain(found, place, 0));
    const left = cut(two, 1);
    expect(left.match.map(({ links }) => links[0]!.hop.edge)).toEqual([['ACTED_IN'], ['B']]);
    expect(cut(left, 1)).toBe(left);
    expect(cut(left, 2).match).toHaveLength(1);
    const other = extendChain(cutChain(acted, main, 0), main, { edge: 'KNOWS', direction: 'out', type: 'Person' });
    expect(changeRendered(other, other, main, 1, (found, place) => cutChain(found, place, 0)).match[0]!.links).toEqual([]);
  });
});

test('what an address says beyond a question is named, and other ways to say the same are not', () => {
  const said = { as: 'a', type: 'Film', filter: { year: { gt: 2000n, lt: 2010.5 } } };
  expect(unreadParts('')).toEqual([]);
  expect(unreadParts(bodyText({ match: [[said, { edge: ['X'], direction: 'out' }, {}]], without: [], sort: ['-a'] }))).toEqual([]);
  expect(unreadParts('{"match":')).toEqual(['all']);
  const body = {
    match: [[{ as: 'a', label: 'Film' }, { edge: 'X', hops: [2n, 9n], direction: 'up' }, { filter: { year: 3n } }], [{ as: 'loose' }]],
    measures: [{ op: 'count' }, { op: 'median', of: 'a.year' }],
    limit: 5n,
  };
  expect(unreadParts(bodyText(body))).toEqual(['match', 'measures', 'limit']);
  expect(unreadParts(bodyText({ match: [body.match[0]] }))).toEqual([
    'match[0][0].label',
    'match[0][1].hops',
    'match[0][1].direction',
    'match[0][2].filter',
  ]);
});
