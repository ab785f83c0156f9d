// The name, the text and the entity of a search hit.
import type { EntityRef } from '../explore/url';
import { nameOfNode } from '../explore/appearance';
import { shortId, valueText, escapeInvisible } from '../values/text';
import type { Hit } from './search';

export const hitEntity = (hit: Hit) => (hit.kind === 'node' ? hit.node : hit.edge);
export const hitRef = (hit: Hit): EntityRef => ({ kind: hit.kind, id: hitEntity(hit).id });

export function hitName(hit: Hit): string {
  if (hit.kind === 'node') return nameOfNode(hit.node);
  return `${escapeInvisible(hit.edge.type)} ${shortId(hit.edge.id)}`;
}

/** The properties that match, with their values. */
export function hitText(hit: Hit): string {
  const { properties } = hitEntity(hit);
  return hit.matched
    .map(
      (name) =>
        `${escapeInvisible(name)}: ${escapeInvisible((Object.hasOwn(properties, name) ? valueText(properties[name]) : '').slice(0, 300))}`,
    )
    .join(' · ');
}
