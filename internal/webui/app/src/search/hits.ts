// How a hit is called and where it is.
import type { Place } from '../explore/address';
import { look } from '../explore/appearance';
import { caption, shortId, valueText, visible } from '../values/text';
import type { Hit } from './search';

export const hitEntity = (hit: Hit) => (hit.kind === 'node' ? hit.node : hit.edge);
export const hitPlace = (hit: Hit): Place => ({ kind: hit.kind, id: hitEntity(hit).id });

export function hitName(hit: Hit): string {
  if (hit.kind === 'node') return caption(hit.node.properties, hit.node.id, look(hit.node.type).caption);
  return `${visible(hit.edge.type)} ${shortId(hit.edge.id)}`;
}

/** The properties in which words were found, with what they hold. */
export function hitText(hit: Hit): string {
  const { properties } = hitEntity(hit);
  return hit.matched.map((name) => `${visible(name)}: ${visible((Object.hasOwn(properties, name) ? valueText(properties[name]) : '').slice(0, 300))}`).join(' · ');
}
