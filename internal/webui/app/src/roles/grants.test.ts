import { expect, test } from 'vitest';
import { bodyText, parseAnswer } from '../api/json';
import { Problem } from '../api/problem';
import { assignGrantErrors, grantDraft, grantsOf, grantsText, newGrant, parseGrants, type Grant } from './grants';
import { effectiveRights, nameList, type Role } from './roles';
import { needsKind, newWhereRow, operatorsFor, parseCondition, withProperty } from './where';

const every = `[{"kind":"node","type":"Person","actions":["read","edit"],
  "where":{"born":{"gte":1960,"lt":9007199254740993},"height":{"eq":1.0},
  "team":{"eq":{"$user":"attributes.team"},"in":["blue","red"]},"day":{"gt":{"$type":"Date","_value":"2024-05-01"}},
  "code":{"eq":"007","in":["a,b"]},"ok":{"ne":true},"mail":{"exists":false},"n":{"nin":[1,"x",2.5]},
  "tags":{"has":"a","eq":["a","b"]},"x":{"eq":{"$type":"Float","_value":"NaN"}},"owner":{"ne":{"$user":"id"}},"__proto__":{"eq":"p"}},
  "hidden":["salary"],"read_only":["owner"]},
  {"kind":"edge","type":"*","actions":["read"]}]`;

test('grants that were read are written back as they were', () => {
  const { grants, errors } = grantsOf((parseAnswer(`{"where":${every}}`) as { where: Grant[] }).where.map(grantDraft));
  // The members of where inside a list are property values too.
  expect(errors.size).toBe(0);
  expect(bodyText(grants)).toBe(bodyText(grantsOf(parseGrants(every)).grants));
  expect(bodyText(grants)).toBe(every.replace(/\n\s*/g, ''));
});

test('the JSON view and the form show the same grants', () => {
  const text = grantsText(grantsOf(parseGrants(every)).grants);
  expect(grantsText(grantsOf(parseGrants(text)).grants)).toBe(text);
});

test.each([
  ['{}', 'must be an array'],
  ['[{"kind":"node","type":"A","actions":["read"],"if":1}]', 'grants[0].if: is not a member'],
  ['[{"kind":"thing","type":"A","actions":["read"]}]', 'grants[0].kind'],
  ['[{"kind":"node","type":1,"actions":["read"]}]', 'grants[0].type'],
  ['[{"kind":"node","type":"A","actions":["fly"]}]', 'grants[0].actions'],
  ['[{"kind":"node","type":"A","actions":["read"],"where":{"a":1}}]', 'grants[0].where'],
  ['[{"kind":"node","type":"A","actions":["read"],"hidden":"a"}]', 'grants[0].hidden'],
])('the JSON %s is refused', (text, message) => expect(() => parseGrants(text)).toThrow(message));

test.each([
  ['1960', 1960n],
  ['1.5', 1.5],
  ['true', true],
  ['007', '007'],
  ['"1960"', '1960'],
  ['Ann', 'Ann'],
  ['', ''],
  [' a', ' a'],
  ['{"$type":"Date","_value":"2024-05-01"}', { $type: 'Date', _value: '2024-05-01' }],
])('without a known kind, the text %j is inferred', (text, value) =>
  expect(parseCondition({ ...newWhereRow('a'), text })).toEqual({ value }),
);

test('a property that the data has gives the kind of the value', () => {
  const use = { name: 'code', types: ['String'], presence: 1, indexed: false, unique: false };
  const row = { ...withProperty(newWhereRow(), 'code', use), operator: 'eq' as const, text: '1960' };
  expect(parseCondition(row)).toEqual({ value: '1960' });
  expect(parseCondition({ ...row, operator: 'in', text: '1, 2' })).toEqual({ value: ['1', '2'] });
  expect(needsKind(row, use)).toBe(false);
  expect(operatorsFor({ ...row, user: 'id' }, use)).not.toContain('exists');
  expect(operatorsFor({ ...row, operator: 'has' }, use)).toContain('has');
});

test('the form asks for the kind of a value that the data does not give', () => {
  const number = { ...newWhereRow('born'), kind: 'Integer' as const };
  expect(withProperty(number, 'owner', undefined).kind).toBeNull();
  const renamed = withProperty({ ...number, text: '1960' }, 'owner', undefined);
  expect([renamed.kind, needsKind(renamed, undefined)]).toEqual(['Integer', true]);
  for (const row of [
    { ...renamed, operator: 'exists' as const },
    { ...renamed, operator: 'contains' as const },
    { ...renamed, user: 'id' },
  ])
    expect(needsKind(row, undefined)).toBe(false);
});

test('what is missing or given twice is an error at its control', () => {
  const row = { ...newWhereRow('a'), text: '1' };
  const draft = {
    ...newGrant(),
    actions: [],
    where: [
      row,
      { ...newWhereRow('a'), text: '2' },
      newWhereRow(),
      { ...newWhereRow('b'), user: 'attributes.' },
      { ...newWhereRow('c'), operator: 'in' as const },
    ],
  };
  const found = grantsOf([draft]).errors.get(draft.key)!;
  expect([found.type, found.actions].every(Boolean)).toBe(true);
  expect([...found.where.keys()]).toEqual(draft.where.slice(1).map((each) => each.key));
});

test("the service's errors are assigned to their controls", () => {
  const drafts = parseGrants(every);
  const [first] = drafts;
  const row = (property: string) => first!.where.find((each) => each.property === property)!.key;
  const problem = new Problem('VALIDATION_ERROR', 'Invalid input', 400, [
    { field: 'grants[0].where.born.gte', message: 'x' },
    { field: 'grants[0].where.n.nin[1]', message: 'y' },
    { field: 'grants[0].read_only[0]', message: 'z' },
    { field: 'grants[1].actions', message: 'a' },
    { field: 'grants[0].where', message: 'too many' },
    { field: 'name', message: 'n' },
    { field: 'grants[7].type', message: 'gone' },
  ]);
  const errors = assignGrantErrors(drafts, problem);
  expect([...errors.get(first!.key)!.where]).toEqual([
    [row('born'), 'x'],
    [row('n'), 'y'],
  ]);
  expect(errors.get(first!.key)).toMatchObject({ readOnly: 'z', other: 'where: too many' });
  expect(errors.get(drafts[1]!.key)!.actions).toBe('a');
  expect(errors.size).toBe(2);
});

test('permissions and roles add up', () => {
  const role = {
    name: 'team',
    description: '',
    created_at: '',
    updated_at: '',
    grants: JSON.parse('[{"kind":"node","type":"Person","actions":["read","edit"],"where":{"team":{"eq":"a"}}}]') as Grant[],
    queries: [],
  } satisfies Role;
  const rights = effectiveRights(['read'], [role]);
  const of = (kind: string, action: string) => rights.find((right) => right.kind === kind && right.action === action)!;
  expect(of('node', 'edit')).toEqual({
    kind: 'node',
    action: 'edit',
    everything: false,
    grants: [{ role: 'team', text: 'Person, if team' }],
  });
  expect(of('edge', 'read').everything).toBe(true);
  expect(of('edge', 'delete')).toMatchObject({ everything: false, grants: [] });
});

test('a long list of names is cut', () => {
  expect(nameList(['a', 'b', 'c'], 2)).toBe('a, b, c');
  expect(nameList(['a', 'b', 'c', 'd'], 2)).toBe('a, b and 2 more');
});
