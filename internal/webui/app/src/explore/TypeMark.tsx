import type { CSSProperties } from 'react';
import type { EntityKind } from '../api/graph';
import { darkLightening } from '../theme';
import { appearanceOf, edgeAppearanceOf, shapeOf } from './appearance';
import { clipPath } from './shapes';

/** The colour of a type beside its name: in its shape for nodes, a dash for edges. */
export function TypeMark({ kind, type, style }: { kind: EntityKind; type: string | null; style?: CSSProperties }) {
  const background = typeColour(kind, type);
  if (kind === 'node') return <span className="dot" style={{ background, clipPath: clipPath(shapeOf(type)), ...style }} />;
  return <span className="dash" style={{ background, ...style }} />;
}

/** The colour of a type, as CSS. */
export function typeColour(kind: EntityKind, type: string | null): string {
  const colour = kind === 'node' ? appearanceOf(type).colour : type === null ? undefined : edgeAppearanceOf(type).colour;
  // On a dark background it is lighter: see colourOn in canvas/valueStyle.ts.
  return colour === undefined ? 'var(--muted)' : `light-dark(${colour}, color-mix(in srgb, ${colour}, white ${darkLightening}%))`;
}
