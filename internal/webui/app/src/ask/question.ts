// A question over several hops: the body of POST /api/match, as the address holds it, and what changes it.
import type { Direction, EntityKind } from '../api/graph';
import { bodyText, isObject, parseExact } from '../api/json';
import { explorePath, type View } from '../explore/url';

/** The conditions of a node or a hop: {property: {operator: value}}. */
export type Filter = Record<string, Record<string, unknown>>;

/** What a node or hop must meet: the filter, and one of the alternatives if there are any. */
export interface Conditions {
  filter?: Filter;
  any?: Filter[];
}

export interface NodePart extends Conditions {
  as?: string;
  type?: string;
  id?: string;
}

export interface HopPart extends Conditions {
  /** The types of the edges; any without it. */
  edge?: string[];
  /** As seen from the node before. */
  direction: Direction;
  as?: string;
  /** How many edges one after another, if not one. */
  hops?: [number, number];
}

/** Begins with a node; each link is a hop and the node behind it. */
export interface Chain {
  first: NodePart;
  links: { hop: HopPart; node: NodePart }[];
}

export const measureOperators = ['count', 'sum', 'mean', 'min', 'max'] as const;
export type MeasureOperator = (typeof measureOperators)[number];

export interface Measure {
  op: MeasureOperator;
  of?: string;
}

export interface Question {
  match: Chain[];
  without: Chain[];
  /** Names and properties; null for every name. */
  columns: string[] | null;
  groupBy: string[];
  measures: Measure[];
  /** Names, properties or columns; "-" before one descends. */
  sort: string[];
}

/** Changes the question: the function gets that of the address, which may be another one than was rendered last. */
export type ChangeQuestion = (update: (now: Question) => Question) => void;

/** The service's bounds. */
export const maxChains = 4;
export const maxNodesInChain = 6;
export const maxHops = 3;

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const textsOf = (value: unknown) => (Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []);

function filterOf(value: unknown): Filter | undefined {
  const conditions = isObject(value) ? Object.entries(value).filter(([, of]) => isObject(of)) : [];
  return conditions.length > 0 ? (Object.fromEntries(conditions) as Filter) : undefined;
}

function conditionsIn(raw: Record<string, unknown>) {
  const any = Array.isArray(raw.any) ? raw.any.map(filterOf).filter((each) => each !== undefined) : [];
  return { filter: filterOf(raw.filter), any: any.length > 0 ? any : undefined };
}

/** Whether the answer has a row for each group, not for each match. */
export const isGrouped = ({ groupBy, measures }: Pick<Question, 'groupBy' | 'measures'>) => groupBy.length > 0 || measures.length > 0;

const present = <T extends object>(members: T): T =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;

const parseNode = (raw: Record<string, unknown>): NodePart =>
  present({ as: textOf(raw.as), type: textOf(raw.type), id: textOf(raw.id), ...conditionsIn(raw) });

function parseHop(raw: Record<string, unknown>): HopPart {
  const [min, max] = Array.isArray(raw.hops) ? raw.hops.map(Number) : [];
  const isRange = Number.isInteger(min) && Number.isInteger(max) && min! >= 1 && min! <= max! && max! <= maxHops;
  const edge = typeof raw.edge === 'string' ? [raw.edge] : textsOf(raw.edge);
  return present({
    edge: edge.length > 0 ? edge : undefined,
    direction: raw.direction === 'in' || raw.direction === 'both' ? raw.direction : ('out' as const),
    as: textOf(raw.as),
    ...conditionsIn(raw),
    hops: isRange ? ([min, max] as [number, number]) : undefined,
  });
}

function parseChain(raw: unknown): Chain[] {
  if (!Array.isArray(raw) || raw.length % 2 === 0 || !raw.every(isObject)) return [];
  const links = [];
  for (let i = 1; i < raw.length; i += 2) links.push({ hop: parseHop(raw[i]!), node: parseNode(raw[i + 1]!) });
  return [{ first: parseNode(raw[0]!), links }];
}

const parseMeasure = (raw: unknown): Measure[] =>
  isObject(raw) && (measureOperators as readonly unknown[]).includes(raw.op)
    ? [present({ op: raw.op as MeasureOperator, of: textOf(raw.of) })]
    : [];

/** Parses the question of an address; null if there is none. Leaves out what is invalid. */
export function parseQuestion(text: string): Question | null {
  let raw: unknown;
  try {
    raw = parseExact(text);
  } catch {
    return null;
  }
  const chains = (value: unknown) => (Array.isArray(value) ? value.flatMap(parseChain).slice(0, maxChains) : []);
  if (!isObject(raw)) return null;
  const match = chains(raw.match);
  if (match.length === 0) return null;
  return pruned({
    match,
    without: chains(raw.without),
    columns: Array.isArray(raw.columns) ? textsOf(raw.columns) : null,
    groupBy: textsOf(raw.group_by),
    measures: Array.isArray(raw.measures) ? raw.measures.flatMap(parseMeasure) : [],
    sort: textsOf(raw.sort),
  });
}

const hopBody = ({ edge, direction, hops, ...others }: HopPart) => ({
  ...(edge ? { edge: edge.length === 1 ? edge[0] : edge } : {}),
  ...(direction === 'out' ? {} : { direction }),
  ...(hops ? { hops: hops.map(BigInt) } : {}),
  ...others,
});

const chainBody = ({ first, links }: Chain) => [first, ...links.flatMap(({ hop, node }) => [hopBody(hop), node])];

/** The question as the body of a request. */
export function questionBody({ match, without, columns, groupBy, measures, sort }: Question): Record<string, unknown> {
  const grouped = isGrouped({ groupBy, measures });
  return {
    match: match.map(chainBody),
    ...(without.length > 0 ? { without: without.map(chainBody) } : {}),
    ...(columns && !grouped ? { columns } : {}),
    ...(groupBy.length > 0 ? { group_by: groupBy } : {}),
    ...(measures.length > 0 ? { measures } : {}),
    ...(sort.length > 0 ? { sort } : {}),
  };
}

const isNothing = (value: unknown) =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);

/** What a body may also say: one type of edges as a list, and the direction of a hop that needs none. */
const isSaidOtherwise = (field: string, raw: unknown, kept: unknown) =>
  (field.endsWith('.edge') && Array.isArray(raw) && raw.length === 1 && raw[0] === kept) ||
  (field.endsWith('.direction') && raw === 'out' && kept === undefined);

/** The fields that differ from what was kept of them. */
function lostFields(raw: unknown, kept: unknown, field: string): string[] {
  if (raw === kept || isSaidOtherwise(field, raw, kept) || (kept === undefined && isNothing(raw))) return [];
  if (Array.isArray(raw) && Array.isArray(kept) && raw.length === kept.length)
    return raw.flatMap((each, index) => lostFields(each, kept[index], `${field}[${index}]`));
  if (isObject(raw) && isObject(kept))
    return Object.entries(raw).flatMap(([name, value]) => lostFields(value, kept[name], field === '' ? name : `${field}.${name}`));
  return [field === '' ? 'all' : field];
}

/** The parts of an address's question that are left out, as fields of the body: "match[0][1].hops", or "all". */
export function unreadParts(text: string): string[] {
  if (text === '') return [];
  const question = parseQuestion(text);
  return question ? lostFields(parseExact(text), questionBody(question), '') : ['all'];
}

export const serializeQuestion = (question: Question) => bodyText(questionBody(question));

/** The address of a question. */
export const askPath = (question: Question, view: Partial<View> = {}) => explorePath({ ...view, question: serializeQuestion(question) });

/** A named node or edge of a question. */
export interface Named {
  name: string;
  kind: EntityKind;
  /** Its type, if it has one only. */
  type: string | null;
}

/** What the rows bind, in order of appearance. */
export function namedParts({ match }: Pick<Question, 'match'>): Named[] {
  const found = new Map<string, Named>();
  const addNode = ({ as, type }: NodePart) => {
    if (as === undefined) return;
    found.set(as, { name: as, kind: 'node', type: type ?? found.get(as)?.type ?? null });
  };
  for (const { first, links } of match) {
    addNode(first);
    for (const { hop, node } of links) {
      if (hop.as !== undefined) found.set(hop.as, { name: hop.as, kind: 'edge', type: hop.edge?.length === 1 ? hop.edge[0]! : null });
      addNode(node);
    }
  }
  return [...found.values()];
}

const takenNames = ({ match, without }: Pick<Question, 'match' | 'without'>) =>
  new Set([...match, ...without].flatMap(({ first, links }) => [first.as, ...links.flatMap(({ hop, node }) => [hop.as, node.as])]));

/** The first of "film", "film2" and so on that is not taken. */
export function firstFree(base: string, isTaken: (name: string) => boolean): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}${n}`;
    if (!isTaken(name)) return name;
  }
}

/** A name for a type that no other part has: "film", then "film2". */
export function freeName(question: Pick<Question, 'match' | 'without'>, type: string | null | undefined, otherwise = 'node'): string {
  const letters = (type ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 24);
  const taken = takenNames(question);
  return firstFree(letters || otherwise, (name) => taken.has(name));
}

const none = { match: [], without: [] };

/** A question that begins with a type, or with one node. */
export function beginQuestion(part: Omit<NodePart, 'as'>): Question {
  return {
    match: [{ first: present({ as: freeName(none, part.type), ...part }), links: [] }],
    without: [],
    columns: null,
    groupBy: [],
    measures: [],
    sort: [],
  };
}

/** An edge with the node behind it, as the schema knows it. */
export interface Connection {
  edge: string | null;
  direction: Direction;
  type: string | null;
}

const hopOf = ({ edge, direction }: Connection): HopPart => (edge === null ? { direction } : { edge: [edge], direction });

/** Where a chain is. */
export interface ChainPlace {
  of: 'match' | 'without';
  index: number;
}

/** A chain may have been removed since its row was rendered: then nothing changes. */
function replaceChain(question: Question, { of, index }: ChainPlace, update: (now: Chain) => Chain): Question {
  const chain = question[of][index];
  return chain ? { ...question, [of]: question[of].with(index, update(chain)) } : question;
}

/** Adds a hop and a node at the end of a chain. What must not exist needs no name. */
export function extendChain(question: Question, place: ChainPlace, connection: Connection): Question {
  const node: NodePart = present({
    as: place.of === 'match' ? freeName(question, connection.type) : undefined,
    type: connection.type ?? undefined,
  });
  return replaceChain(question, place, (chain) => ({ ...chain, links: [...chain.links, { hop: hopOf(connection), node }] }));
}

/** Adds a chain that begins at a named node: one that must exist, or one that must not. */
export function addChain(question: Question, of: ChainPlace['of'], name: string, connection: Connection): Question {
  const begun = { ...question, [of]: [...question[of], { first: { as: name }, links: [] }] };
  return extendChain(begun, { of, index: question[of].length }, connection);
}

/** Changes a node of a chain: the first one is at 0. */
export const changeNode = (question: Question, place: ChainPlace, at: number, update: (now: NodePart) => NodePart): Question =>
  pruned(
    replaceChain(question, place, ({ first, links }) => ({
      first: at === 0 ? update(first) : first,
      links: links.map((link, index) => (index === at - 1 ? { ...link, node: update(link.node) } : link)),
    })),
  );

/** Adds filters of a named node, whose conditions add up: each as a chain of the node alone. */
export const addFilters = (question: Question, name: string, filters: Filter[]): Question => ({
  ...question,
  match: [...question.match, ...filters.map((filter): Chain => ({ first: { as: name, filter }, links: [] }))],
});

/** Changes a hop of a chain: the first one is at 0. */
export const changeHop = (question: Question, place: ChainPlace, at: number, update: (now: HopPart) => HopPart): Question =>
  pruned(
    replaceChain(question, place, ({ first, links }) => ({
      first,
      links: links.map((link, index) => (index === at ? { ...link, hop: update(link.hop) } : link)),
    })),
  );

/** Removes a hop with all that is behind it, and the chains that begin there. */
export function cutChain(question: Question, place: ChainPlace, at: number): Question {
  const isFirst = place.of === 'match' && place.index === 0;
  if (at === 0 && !isFirst) return pruned({ ...question, [place.of]: question[place.of].toSpliced(place.index, 1) });
  return pruned(replaceChain(question, place, (chain) => ({ ...chain, links: chain.links.slice(0, at) })));
}

/** The name that a column, a key or a measure is about. */
const ownerOf = (reference: string) => reference.replace(/^-/, '').split('.', 1)[0]!;

export const nodesOf = ({ first, links }: Chain) => [first, ...links.map(({ node }) => node)];

/** The chains that hang together with the first one by names of nodes. */
function linkedChains(chains: Chain[]): Chain[] {
  const linked = new Set(chains.slice(0, 1));
  const names = new Set<string>();
  for (let before = -1; before !== linked.size;) {
    before = linked.size;
    for (const chain of linked) for (const { as } of nodesOf(chain)) if (as !== undefined) names.add(as);
    for (const chain of chains) if (nodesOf(chain).some(({ as }) => as !== undefined && names.has(as))) linked.add(chain);
  }
  return chains.filter((chain) => linked.has(chain));
}

/** The question without chains whose beginning is gone, and without columns of parts that are gone. */
export function pruned(question: Question): Question {
  const match = linkedChains(question.match);
  const names = new Set(namedParts({ match }).map((part) => part.name));
  const isKnown = (reference: string) => names.has(ownerOf(reference));
  const columns = question.columns?.filter(isKnown) ?? null;
  const measures = question.measures.filter(({ of }) => of === undefined || isKnown(of));
  const groupBy = question.groupBy.filter(isKnown);
  const grouped = isGrouped({ groupBy, measures });
  const shown = [...groupBy, ...measures.map(columnOfMeasure)];
  return {
    match,
    without: question.without.filter((chain) => nodesOf(chain).some(({ as }) => as !== undefined && names.has(as))),
    columns: columns && columns.length > 0 ? columns : null,
    groupBy,
    measures,
    sort: question.sort.filter((key) => (grouped ? shown.includes(key.replace(/^-/, '')) : isKnown(key))),
  };
}

const columnOfMeasure = ({ op, of }: Measure) => (of === undefined ? op : `${op}(${of})`);

/** The question for the canvas: every node and every single edge has a name, and the rows are whole. */
export function drawnQuestion(question: Question): Question {
  let named: Question = { ...question, columns: null, groupBy: [], measures: [], sort: [] };
  for (const [index, { first, links }] of question.match.entries()) {
    const place: ChainPlace = { of: 'match', index };
    const nameNode = (at: number, { type }: NodePart) =>
      (named = changeNode(named, place, at, (node) => ({ ...node, as: freeName(named, type) })));
    if (first.as === undefined) nameNode(0, first);
    for (const [at, { hop, node }] of links.entries()) {
      if (node.as === undefined) nameNode(at + 1, node);
      if (hop.as === undefined && !hop.hops)
        named = changeHop(named, place, at, (now) => ({ ...now, as: freeName(named, hop.edge?.[0], 'edge') }));
    }
  }
  return named;
}

/** A list after a choice among the entries that were shown: an entry that was added since stays. */
export function withChoice(now: string[], shown: string[], chosen: string[]): string[] {
  const kept = now.filter((each) => chosen.includes(each) || !shown.includes(each));
  return [...kept, ...chosen.filter((each) => !shown.includes(each) && !kept.includes(each))];
}

/** The order after a click on a column: by it alone, ascending, descending, then none. */
export function nextOrder(sort: string[], column: string): string[] {
  if (sort.length === 1 && sort[0] === column) return [`-${column}`];
  return sort.length === 1 && sort[0] === `-${column}` ? [] : [column];
}
