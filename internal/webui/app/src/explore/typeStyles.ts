// The styles of types that the server keeps for all users. They come with the schema; administrators change them.
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { EntityKind, Schema } from '../api/graph';
import { client, unwrap } from '../api/client';
import { isSavedAppearanceShown, ownSettingsOf, resetAppearance, showSharedStyles } from './appearance';

/** Shows the styles of the schema whenever it is read; none after a log-out. */
export function useSharedStyles() {
  const queries = useQueryClient();
  useEffect(() => {
    const show = () => showSharedStyles(queries.getQueryData<Schema>(['schema']) ?? { node_types: [], edge_types: [] });
    show();
    return queries.getQueryCache().subscribe(({ type, query }) => {
      if (query.queryKey[0] === 'schema' && (type === 'updated' || type === 'removed')) show();
    });
  }, [queries]);
}

const path = (kind: EntityKind, type: string) => ({ path: { kind: kind === 'node' ? ('nodes' as const) : ('edges' as const), type } });

// A bigint is written as an integer; the generated types call integers numbers.
const integer = (n: number | undefined) => n && (BigInt(n) as unknown as number);

/** Sets the settings that this user, or the saved view that is open, has of a type for all users. */
export async function setForEverybody(queries: QueryClient, kind: EntityKind, type: string) {
  const { colour, size, caption, icon, width } = ownSettingsOf(kind, type);
  const color = colour?.toLowerCase();
  // Other members are left out: another administrator may have changed them. What is automatic, '' or 0, is sent as null.
  const body =
    kind === 'node'
      ? { color, size: integer(size), caption: caption === '' ? null : caption, icon: icon === '' ? null : icon }
      : { color, width: width === 0 ? null : integer(width) };
  const { data } = await unwrap(client.PUT('/api/admin/type-styles/{kind}/{type}', { params: path(kind, type), body }));
  const stored = data.data;
  const style = {
    color: stored.color ?? undefined,
    size: stored.size ?? undefined,
    width: stored.width ?? undefined,
    icon: stored.icon ?? undefined,
    caption: stored.caption ?? undefined,
  };
  changeStyle(queries, kind, type, style);
  if (!isSavedAppearanceShown()) resetAppearance(kind, type); // a saved view keeps its own
}

/** Removes the style of a type for all users. */
export async function removeForEverybody(queries: QueryClient, kind: EntityKind, type: string) {
  await unwrap(client.DELETE('/api/admin/type-styles/{kind}/{type}', { params: path(kind, type) }));
  changeStyle(queries, kind, type, undefined);
}

function changeStyle(
  queries: QueryClient,
  kind: EntityKind,
  type: string,
  style: Schema['node_types'][number]['style'] & Schema['edge_types'][number]['style'],
) {
  const changed = <T extends { type: string }>(types: T[]) => types.map((each) => (each.type === type ? { ...each, style } : each));
  queries.setQueryData<Schema>(
    ['schema'],
    (schema) =>
      schema &&
      (kind === 'node' ? { ...schema, node_types: changed(schema.node_types) } : { ...schema, edge_types: changed(schema.edge_types) }),
  );
}
