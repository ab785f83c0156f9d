import type { Entity, PropertyChanges } from '../api/graph';
import { proposal } from '../changesets/proposal';

/** Adds the change of an entity to the proposal. */
export function proposeChange({ kind, entity, etag }: Entity, change: PropertyChanges, name: string) {
  const { properties } = entity;
  const before = {
    properties: Object.fromEntries(
      Object.keys(change).flatMap((changed) => (Object.hasOwn(properties, changed) ? [[changed, properties[changed]!]] : [])),
    ),
  };
  proposal.add({
    operation: { op: kind === 'node' ? 'update_node' : 'update_edge', id: entity.id, properties: change, if_match: etag },
    name,
    type: entity.type,
    before,
  });
}
