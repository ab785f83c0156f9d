import { expect, test, vi } from 'vitest';
import { questionCypher } from './cypher';
import { parseQuestion } from './question';

vi.mock('../api/graph', () => ({}));
vi.mock('../api/client', () => ({}));
vi.mock('react-router', () => ({}));

const cypherOf = (body: object) => questionCypher(parseQuestion(JSON.stringify(body))!, 'uuid');

test('a question is readable Cypher with its values in it', () => {
  expect(
    cypherOf({
      match: [
        [
          {
            as: 'person',
            type: 'Person',
            filter: { name: { icontains: "O'Hara" }, born: { gte: { $type: 'Date', _value: '1960-01-01' } } },
          },
          { as: 'role', edge: 'ACTED_IN' },
          { as: 'film', type: 'Film', any: [{ rating: { gt: 7.5 } }, { year: { in: [1999, 2000] } }] },
        ],
      ],
      without: [[{ as: 'person' }, { edge: 'DIRECTED' }, { type: 'Film', filter: { rating: { exists: true } } }]],
      columns: ['person.name', 'film', 'film.odd name'],
      sort: ['-film.rating', 'person'],
    }),
  ).toBe(`MATCH (person:Person)-[role:ACTED_IN]->(film:Film)
WHERE toLower(person.name) CONTAINS toLower('O\\'Hara')
  AND person.born >= date('1960-01-01')
  AND (film.rating > 7.5 OR film.year IN [1999, 2000])
  AND NOT EXISTS { MATCH (person)-[:DIRECTED]->(node:Film) WHERE node.rating IS NOT NULL }
RETURN person.name, film, film.\`odd name\`
ORDER BY film.rating IS NULL, film.rating DESC, person
LIMIT 100`);
});

test('parts without a name only need to exist, and groups are those of Cypher', () => {
  expect(
    cypherOf({
      match: [
        [
          { as: 'a', id: '0193' },
          { edge: ['KNOWS', 'odd `type'], direction: 'both', hops: [1, 2], filter: { since: { lt: 2000 } } },
          { as: 'all', type: 'Person' },
          { direction: 'in' },
          {},
        ],
        [{ as: 'all', filter: { born: { nin: [1] } } }],
      ],
      group_by: ['all.born'],
      measures: [{ op: 'count' }, { op: 'count', of: 'a' }, { op: 'mean', of: 'all.height' }],
      sort: ['-count(a)', '-mean(all.height)'],
    }),
  ).toBe(`MATCH (a)-[edges:KNOWS|\`odd \`\`type\`*1..2]-(\`all\`:Person)<--()
WHERE a.uuid = '0193'
  AND all(each IN edges WHERE each.since < 2000)
MATCH (\`all\`)
WHERE NOT \`all\`.born IN [1]
WITH DISTINCT a, \`all\`
RETURN \`all\`.born, count(*) AS \`count\`, count(DISTINCT a) AS \`count(a)\`, avg(\`all\`.height) AS \`mean(all.height)\`
ORDER BY \`count(a)\` DESC, \`mean(all.height)\` IS NULL, \`mean(all.height)\` DESC
LIMIT 100`);
});
