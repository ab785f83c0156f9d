// Cypher for the editor: which characters are keywords, names, texts and numbers. It judges nothing; errors come from the database.
import { HighlightStyle, StreamLanguage, syntaxHighlighting, type StreamParser, type StringStream } from '@codemirror/language';
import { tags } from '@lezer/highlight';

export const keywords =
  'ALL ALLSHORTESTPATHS AND ANY AS ASC ASCENDING BY CALL CASE COLLECT CONTAINS COUNT CYPHER DESC DESCENDING DISTINCT ELSE END ' +
  'ENDS EXISTS FILTER FINISH FOR IN INDEX IS LET LIMIT MATCH MODE NONE NORMALIZED NOT NULLS OFFSET OPTIONAL OR ORDER REDUCE ' +
  'RETURN SHORTEST SHORTESTPATH SINGLE SKIP STARTS THEN TYPED UNION UNWIND USING WHEN WHERE WITH XOR YIELD NEXT GROUPS WALK ' +
  'TRAIL ACYCLIC';

export const functions =
  'abs acos any asin atan atan2 avg ceil char_length coalesce collect cos cot count date date.truncate datetime ' +
  'datetime.fromepoch datetime.truncate degrees duration duration.between duration.inDays duration.inMonths duration.inSeconds e ' +
  'elementId endNode exp floor haversin head isEmpty isNaN keys labels last left length localdatetime localtime log log10 lower ' +
  'ltrim max min nodes none normalize nullIf percentileCont percentileDisc pi point point.distance point.withinBBox properties ' +
  'radians rand randomUUID range reduce relationships replace reverse right round rtrim sign sin single size split sqrt ' +
  'startNode stDev stDevP substring sum tail tan time toBoolean toBooleanList toBooleanOrNull toFloat toFloatList toFloatOrNull ' +
  'toInteger toIntegerList toIntegerOrNull toLower toString toStringList toStringOrNull toUpper trim type upper valueType ' +
  'vector.similarity.cosine vector.similarity.euclidean';

const isKeyword = new Set(keywords.split(' '));
const constants = new Set(['TRUE', 'FALSE', 'NULL', 'NAN', 'INF', 'INFINITY']);

interface State {
  /** What is not closed yet: a comment, or a text with its quotation mark. */
  inside: '' | '/' | "'" | '"';
  /** The open brackets. */
  brackets: string[];
  /** Whether the next name is that of a label or of an edge type, or of a property. */
  expects: '' | 'type' | 'property';
}

/** Reads to the end of a text, which may be in a later line. */
function readText(stream: StringStream, state: State): string {
  while (!stream.eol()) {
    const character = stream.next();
    if (character === '\\') stream.next();
    else if (character === state.inside) {
      state.inside = '';
      break;
    }
  }
  return 'string';
}

function readComment(stream: StringStream, state: State): string {
  if (stream.skipTo('*/')) {
    stream.match('*/');
    state.inside = '';
  } else stream.skipToEnd();
  return 'comment';
}

function readName(stream: StringStream, state: State): string | null {
  const { expects } = state;
  if (!stream.match(/^`(?:[^`]|``)*`?/) && !stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u)) return null;
  state.expects = '';
  const name = stream.current();
  if (expects === 'type') return 'typeName';
  if (expects === 'property') return stream.match(/^\s*\(/, false) ? 'function' : 'propertyName';
  const upper = name.toUpperCase();
  if (constants.has(upper)) return 'bool';
  if (stream.match(/^\s*\(/, false) && /^[a-z]/.test(name) && !['in', 'and', 'or', 'not', 'where', 'match', 'call'].includes(name))
    return 'function';
  return isKeyword.has(upper) ? 'keyword' : 'variableName';
}

function readOperator(stream: StringStream, state: State): string | null {
  const character = stream.next()!;
  const innermost = state.brackets.at(-1);
  if ('([{'.includes(character)) state.brackets.push(character);
  else if (')]}'.includes(character)) state.brackets.pop();
  const inPattern = innermost !== '{';
  state.expects = character === '.' ? 'property' : inPattern && ':|&!%'.includes(character) ? 'type' : '';
  return '()[]{},;'.includes(character) ? 'bracket' : 'operator';
}

const parser: StreamParser<State> = {
  name: 'cypher',
  startState: () => ({ inside: '', brackets: [], expects: '' }),
  copyState: (state) => ({ ...state, brackets: [...state.brackets] }),
  token(stream, state) {
    if (state.inside === '/') return readComment(stream, state);
    if (state.inside !== '') return readText(stream, state);
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('/*')) {
      state.inside = '/';
      return readComment(stream, state);
    }
    const mark = stream.peek();
    if (mark === "'" || mark === '"') {
      stream.next();
      state.inside = mark;
      return readText(stream, state);
    }
    if (stream.match(/^\$(?:`(?:[^`]|``)+`|[\p{L}\p{N}_]+)/u)) return 'atom';
    if (stream.match(/^(?:0x[\da-f_]+|0o[0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:e[+-]?\d+)?)/i)) return 'number';
    return readName(stream, state) ?? readOperator(stream, state);
  },
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', "'", '"'] },
  },
};

const style = HighlightStyle.define([
  { tag: tags.keyword, class: 'cy-keyword' },
  { tag: tags.typeName, class: 'cy-type' },
  { tag: tags.propertyName, class: 'cy-property' },
  { tag: tags.function(tags.variableName), class: 'cy-function' },
  { tag: [tags.string, tags.special(tags.string)], class: 'cy-text' },
  { tag: [tags.number, tags.bool, tags.atom], class: 'cy-value' },
  { tag: tags.comment, class: 'cy-comment' },
]);

export const cypherParser = parser;
export const cypherLanguage = StreamLanguage.define({ ...parser, tokenTable: { function: tags.function(tags.variableName) } });
export const cypherStyle = syntaxHighlighting(style);
