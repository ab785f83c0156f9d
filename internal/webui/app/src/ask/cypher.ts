// A question as Cypher that people read, change and run in Neo4j Browser: what the service runs says the same with the rights of the user,
// and has its values as parameters.
import { comparisonCypher, isManagedId, literal, quoteName, quoteText } from '../copy/cypher';
import type { Value } from '../values/value';
import { isGrouped, namedParts, nodesOf, type Chain, type Filter, type Measure, type NodePart, type Question } from './question';

/** How many rows the statement returns, as a page of the answer. */
const limit = 100;

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const nameText = (name: string) => (plainName.test(name) ? name : quoteName(name));

/** Words that are not read as a variable where they stand alone. */
const words = /^(null|true|false|nan|inf|infinity|case|exists|count|collect|all|any|none|single|reduce|not|distinct)$/;
const variableText = (name: string) => (words.test(name) ? quoteName(name) : name);

/** A name or a property of it. */
function referenceText(reference: string): string {
  const at = reference.indexOf('.');
  if (at < 0) return variableText(reference);
  return `${variableText(reference.slice(0, at))}.${nameText(reference.slice(at + 1))}`;
}

const filterTexts = (of: string, filter: Filter = {}) =>
  Object.entries(filter).flatMap(([property, conditions]) =>
    Object.entries(conditions).map(([operator, value]) =>
      comparisonCypher(operator, `${of}.${nameText(property)}`, literal(value as Value | null)),
    ),
  );

/** What a part must meet; of alternatives, one. */
function conditionTexts(of: string, { filter, any = [] }: { filter?: Filter; any?: Filter[] }): string[] {
  const alternatives = any.map((each) => filterTexts(of, each).join(' AND ')).filter((text) => text !== '');
  const either = alternatives.length > 1 ? [`(${alternatives.join(' OR ')})`] : alternatives;
  return [...filterTexts(of, filter), ...either];
}

class Composer {
  private taken: Set<string>;

  constructor(
    { match, without }: Question,
    private idProperty: string,
  ) {
    const named = [...match, ...without].flatMap(({ first, links }) => [first.as, ...links.flatMap(({ hop, node }) => [hop.as, node.as])]);
    this.taken = new Set(named.filter((name) => name !== undefined));
  }

  /** A variable for a part without a name that has conditions. */
  private freeVariable(base: string): string {
    let name = base;
    for (let n = 2; this.taken.has(name); n++) name = `${base}${n}`;
    this.taken.add(name);
    return name;
  }

  private node(part: NodePart, where: string[]): string {
    const needsName = part.id !== undefined || part.filter !== undefined || part.any !== undefined;
    const name = part.as ?? (needsName ? this.freeVariable('node') : '');
    const variable = variableText(name);
    if (part.id !== undefined) {
      const own = isManagedId(part.id) ? `${variable}.${nameText(this.idProperty)}` : `elementId(${variable})`;
      where.push(`${own} = ${quoteText(part.id)}`);
    }
    where.push(...conditionTexts(variable, part));
    return `(${variable}${part.type === undefined ? '' : `:${nameText(part.type)}`})`;
  }

  private hop({ edge = [], direction, as, hops, ...conditions }: Chain['links'][number]['hop'], where: string[]): string {
    const needsName = conditions.filter !== undefined || conditions.any !== undefined;
    const variable = as !== undefined ? variableText(as) : needsName ? this.freeVariable(hops ? 'edges' : 'edge') : '';
    if (needsName && hops) where.push(`all(each IN ${variable} WHERE ${conditionTexts('each', conditions).join(' AND ')})`);
    else where.push(...conditionTexts(variable, conditions));
    const types = edge.length > 0 ? `:${edge.map(nameText).join('|')}` : '';
    const inside = `${variable}${types}${hops ? `*${hops[0]}..${hops[1]}` : ''}`;
    const text = inside === '' ? '' : `[${inside}]`;
    return `${direction === 'in' ? '<' : ''}-${text}-${direction === 'out' ? '>' : ''}`;
  }

  /** A chain as a pattern, with the conditions of its parts. */
  chain({ first, links }: Chain): { pattern: string; where: string[] } {
    const where: string[] = [];
    const begin = this.node(first, where);
    return { pattern: begin + links.map(({ hop, node }) => this.hop(hop, where) + this.node(node, where)).join(''), where };
  }
}

const functions = { count: 'count', sum: 'sum', mean: 'avg', min: 'min', max: 'max' } as const;

function measureText({ op, of }: Measure): string {
  if (of === undefined) return 'count(*) AS `count`';
  return `${functions[op]}(${op === 'count' ? 'DISTINCT ' : ''}${referenceText(of)}) AS ${quoteName(`${op}(${of})`)}`;
}

/** Whether two ways to bind the pattern can be one row. */
const hasUnnamedPart = ({ match }: Question) =>
  match.some((chain) => nodesOf(chain).some(({ as }) => as === undefined) || chain.links.some(({ hop }) => hop.as === undefined));

export function questionCypher(question: Question, idProperty: string): string {
  const composer = new Composer(question, idProperty);
  const clauses = question.match.map((chain) => composer.chain(chain));
  const absent = question.without.map((chain) => {
    const { pattern, where } = composer.chain(chain);
    return `NOT EXISTS { MATCH ${pattern}${where.length > 0 ? ` WHERE ${where.join(' AND ')}` : ''} }`;
  });
  clauses.at(-1)!.where.push(...absent);
  const names = namedParts(question).map(({ name }) => name);
  const grouped = isGrouped(question);
  const columns = grouped
    ? [...question.groupBy.map(referenceText), ...question.measures.map(measureText)]
    : (question.columns ?? names).map(referenceText);
  const measured = new Set(question.measures.map(({ op, of }) => (of === undefined ? op : `${op}(${of})`)));
  const orders = question.sort.map((key) => {
    const reference = key.replace(/^-/, '');
    const text = measured.has(reference) ? quoteName(reference) : referenceText(reference);
    // Absent values are last, in Cypher only of ascending ones.
    const mayBeAbsent = reference.includes('.') && !/^(count|sum)\(/.test(reference);
    return key === reference ? text : `${mayBeAbsent ? `${text} IS NULL, ` : ''}${text} DESC`;
  });
  return [
    ...clauses.flatMap(({ pattern, where }) => [`MATCH ${pattern}`, ...(where.length > 0 ? [`WHERE ${where.join('\n  AND ')}`] : [])]),
    ...(hasUnnamedPart(question) ? [`WITH DISTINCT ${names.map(variableText).join(', ')}`] : []),
    `RETURN ${columns.join(', ')}`,
    ...(orders.length > 0 ? [`ORDER BY ${orders.join(', ')}`] : []),
    `LIMIT ${limit}`,
  ].join('\n');
}
