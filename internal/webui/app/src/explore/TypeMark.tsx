import type { CSSProperties } from 'react';
import type { EntityKind } from '../api/graph';
import { lineLightening } from '../theme';
import { appearanceOf, edgeAppearanceOf } from './appearance';

/** The colour of a type beside its name: a dot for nodes, a dash for edges. */
export function TypeMark({ kind, type, style }: { kind: EntityKind; type: string | null; style?: CSSProperties }) {
  if (kind === 'node') return <span className="dot" style={{ background: appearanceOf(type).colour, ...style }} />;
  return <span className="dash" style={{ background: edgeColour(type), ...style }} />;
}

/** The colour of the edges of a type, as CSS. */
export function edgeColour(type: string | null): string {
  const colour = type === null ? undefined : edgeAppearanceOf(type).colour;
  // On a dark background a line needs a lighter colour: see lineColour in canvas/valueStyle.ts.
  return colour === undefined ? 'var(--muted)' : `light-dark(${colour}, color-mix(in srgb, ${colour}, white ${lineLightening}%))`;
}
