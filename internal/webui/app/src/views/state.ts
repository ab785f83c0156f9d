// The state of a saved view. It may come from another user, so everything in it is checked: it becomes a view of the Explore page, numbers
// and colours, never markup, styles or an address outside this page.
import type { Positions } from '../canvas/drawing';
import type { Overrides } from '../explore/appearance';
import { parseView, serializeView, type View } from '../explore/url';

/** The version of the form below. A state of another version is refused. */
const version = 1;

const maxAddress = 32_768;
const maxNodes = 2000;
const maxTypes = 500;
const maxCoordinate = 1e6;

export interface ViewState {
  view: View;
  appearance: Overrides;
  /** Of the nodes on the canvas. */
  positions: Positions;
}

/** Why a state cannot be used, in words for users. */
export class StateError extends Error {}

/** What a saved view keeps of the Explore page. The open entity is not a part of it. */
export function encodeState({ view, appearance, positions }: ViewState): Record<string, unknown> {
  const kept = { ...view, open: null, tab: 'properties' as const, saved: '' };
  const nodes = [...positions].slice(0, maxNodes).map(([id, p]) => [id, Math.round(p.x), Math.round(p.y), ...(p.pinned ? [true] : [])]);
  return {
    version: BigInt(version),
    address: serializeView(kept).toString(),
    ...(Object.keys(appearance).length > 0 ? { appearance } : {}),
    ...(nodes.length > 0 ? { nodes } : {}),
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Checks a state. Throws a StateError if it cannot be used; leaves out single members that are invalid. */
export function decodeState(state: unknown): ViewState {
  if (!isObject(state)) throw new StateError('It is empty.');
  if (Number(state.version) !== version) throw new StateError('It was saved by another version of this page, or by another program.');
  if (typeof state.address !== 'string' || state.address.length > maxAddress) throw new StateError('It does not say what to show.');
  const view = parseView(new URLSearchParams(state.address));
  return { view: { ...view, open: null, tab: 'properties', saved: '' }, appearance: decodeAppearance(state.appearance), positions: decodePositions(state.nodes) };
}

function decodeAppearance(value: unknown): Overrides {
  const appearance = Object.create(null) as Overrides;
  if (!isObject(value)) return appearance;
  for (const [type, raw] of Object.entries(value).slice(0, maxTypes)) {
    if (!isObject(raw)) continue;
    const { colour, caption, size } = raw;
    const known: Overrides[string] = {};
    if (typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour)) known.colour = colour;
    if (typeof caption === 'string' && caption.length <= 255) known.caption = caption;
    if (typeof size === 'number' && size >= 10 && size <= 200) known.size = size;
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
