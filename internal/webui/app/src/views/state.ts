// The state of a saved view. It may come from another user, so everything in it is checked: it becomes a view of the Explore page, numbers
// and colours, never markup, styles or an address outside this page.
import { isObject } from '../api/json';
import type { Positions } from '../canvas/drawing';
import { parseSteps } from '../canvas/steps';
import { byDegree, parseStyle } from '../canvas/valueStyle';
import { noOverrides, type Overrides, type Settings } from '../explore/appearance';
import { formatConditions, parseSort } from '../explore/filters';
import { parseView, serializeView, type View } from '../explore/url';

/** The version of the form below. A state of another version is refused. */
const version = 1;

const maxAddress = 32_768;
const maxNodes = 2000;
const maxTypes = 500;
const maxConditions = 50;
const maxColumns = 500;
const maxCoordinate = 1e6;

export interface ViewState {
  view: View;
  /** Of types of nodes and of edges. */
  appearance: Settings;
  /** Of the nodes on the canvas. */
  positions: Positions;
}

/** Why a state cannot be used, in words for users. */
export class StateError extends Error {}

/** The view without what a saved view does not keep: the open entity, and which saved view is open. */
const keptView = (view: View): View => ({ ...view, open: null, tab: 'properties', saved: '' });

const addressOf = (view: View) => serializeView(keptView(view)).toString();

/** What a saved view keeps of the Explore page. */
export function encodeState({ view, appearance, positions }: ViewState): Record<string, unknown> {
  const nodes = [...positions]
    .slice(0, maxNodes)
    .map(([id, p]) => [id, BigInt(Math.round(p.x)), BigInt(Math.round(p.y)), ...(p.pinned ? [true] : [])]);
  return {
    version: BigInt(version),
    address: addressOf(view),
    ...(Object.keys(appearance.node).length > 0 ? { appearance: appearance.node } : {}),
    ...(Object.keys(appearance.edge).length > 0 ? { edgeAppearance: appearance.edge } : {}),
    ...(nodes.length > 0 ? { nodes } : {}),
  };
}

/** Checks a state. Throws a StateError if it cannot be used; leaves out single members that are invalid. */
export function decodeState(state: unknown): ViewState {
  if (!isObject(state)) throw new StateError('It is empty.');
  if (Number(state.version) !== version) throw new StateError('It was saved by another version of this page, or by another program.');
  if (typeof state.address !== 'string' || state.address.length > maxAddress) throw new StateError('It does not say what to show.');
  const view = parseView(new URLSearchParams(state.address));
  const bounded = { ...view, conditions: view.conditions.slice(0, maxConditions), columns: view.columns?.slice(0, maxColumns) ?? null };
  return {
    view: keptView(bounded),
    appearance: { node: decodeAppearance(state.appearance), edge: decodeAppearance(state.edgeAppearance) },
    positions: decodePositions(state.nodes),
  };
}

const isWhole = (value: unknown): value is number => Number.isInteger(value);

function decodeAppearance(value: unknown): Overrides {
  const appearance = noOverrides();
  if (!isObject(value)) return appearance;
  for (const [type, raw] of Object.entries(value).slice(0, maxTypes)) {
    if (!isObject(raw)) continue;
    const { colour, caption, icon } = raw;
    // Below a type whose name is a member with exact integers.
    const [size, width] = [raw.size, raw.width].map((n) => (typeof n === 'bigint' ? Number(n) : n));
    const known: Overrides[string] = {};
    if (typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour)) known.colour = colour;
    if (typeof caption === 'string' && caption.length <= 255) known.caption = caption;
    if (typeof icon === 'string' && icon.length <= 48) known.icon = icon;
    if (isWhole(size) && size >= 10 && size <= 200) known.size = size;
    if (isWhole(width) && width >= 0 && width <= 20) known.width = width;
    appearance[type] = known;
  }
  return appearance;
}

function decodePositions(value: unknown): Positions {
  const positions: Positions = new Map();
  if (!Array.isArray(value)) return positions;
  for (const row of (value as unknown[]).slice(0, maxNodes)) {
    if (!Array.isArray(row)) continue;
    const [id, x, y, pinned] = row as unknown[];
    if (typeof id !== 'string' || id.length > 1024 || !isCoordinate(x) || !isCoordinate(y)) continue;
    positions.set(id, { x, y, pinned: pinned === true });
  }
  return positions;
}

const isCoordinate = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= maxCoordinate;

/** Whether the page shows what was saved. Nodes that are only in one of the two do not count: the graph changes, and pages are loaded. */
export function isSameState(saved: ViewState, now: ViewState): boolean {
  if (addressOf(saved.view) !== addressOf(now.view)) return false;
  if (appearanceKey(saved.appearance) !== appearanceKey(now.appearance)) return false;
  return [...now.positions].every(([id, p]) => {
    const before = saved.positions.get(id);
    return !before || (Math.abs(before.x - p.x) <= 1 && Math.abs(before.y - p.y) <= 1 && (before.pinned ?? false) === (p.pinned ?? false));
  });
}

const appearanceKey = ({ node, edge }: Settings) =>
  JSON.stringify(
    [node, edge].map((overrides) =>
      Object.entries(overrides)
        .map(([type, { colour, caption, size, icon, width }]) => [type, colour, caption, size, icon, width])
        .filter(([, ...values]) => values.some((value) => value !== undefined))
        .sort(),
    ),
  );

const describeStyle = (style: string) =>
  Object.entries(parseStyle(style))
    .map(([channel, property]) =>
      channel === 'tooltip' ? `tooltips of ${String(property)}` : property === byDegree ? 'size by edges' : property,
    )
    .join(', ');

/** A state in words, as rows of a table: what it concerns, and how it is. */
export function describeState({ view, appearance, positions }: ViewState): [string, string][] {
  const { kind, type, conditions, sort, columns } = view;
  const names = parseSort(sort).map(({ property, descending }) => `${property}${descending ? ' descending' : ''}`);
  const pinned = [...positions.values()].filter((p) => p.pinned).length;
  const rows: [string, string][] = [
    ['Shows', view.question ? `a question as a ${view.view}` : `${type ?? 'all'} ${kind}s as a ${view.view}`],
    ['Filter', [...(view.end ? [`from or to ${view.end}`] : []), ...formatConditions(conditions)].join('; ') || 'none'],
    ['Order', names.join(', ') || 'none'],
    ['Columns', columns?.map((key) => key.replace(/^p:/, '')).join(', ') ?? 'all'],
    ['Types with own colors', [...Object.keys(appearance.node), ...Object.keys(appearance.edge)].join(', ') || 'none'],
  ];
  if (view.view === 'graph')
    rows.push(
      ['Style by value', describeStyle(view.style) || 'none'],
      ['Nodes placed', `${positions.size}, ${pinned} pinned`],
      ['Steps', String(parseSteps(view.steps).length)],
    );
  return rows;
}
