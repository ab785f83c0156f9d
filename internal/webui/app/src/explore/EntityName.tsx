import { useInViewport } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Entity, EntityKind } from '../api/graph';
import { Problem } from '../api/problem';
import { captionOrId, escapeInvisible, shortId } from '../values/text';
import { nameOfNode } from './appearance';
import { entityOptions } from './entities';
import { explorePath, type PanelTab } from './url';

/** The name of an entity wherever its properties are not shown: of a node its caption, of an edge its type and ends. */
export function nameOf(entity: Entity): string {
  if (entity.kind === 'node') return nameOfNode(entity.entity);
  const { type, source, target, source_id, target_id } = entity.entity;
  return edgeName(type, captionOrId(source?.caption, source_id), captionOrId(target?.caption, target_id));
}

export const edgeName = (type: string | null, source: string, target: string) => `${escapeInvisible(type ?? '')}: ${source} → ${target}`;

interface Props {
  /** null if it is not known: a node is read and, if there is none, an edge. */
  kind: EntityKind | null;
  id: string;
  /** If it is known. */
  type?: string | null | undefined;
  /** A name that is known already: nothing is read. */
  name?: string | undefined;
  /** Opens this tab; without one, the name is a text. */
  tab?: PanelTab;
}

/**
 * The name of an entity of which an answer has only the id, read when it comes into view. If it cannot be read, because it was deleted or
 * the user does not see it, its type and the end of its id.
 */
export const EntityName = (props: Props) =>
  props.name === undefined ? <ReadName {...props} /> : <NameOrLink {...props} shown={props.name} />;

function ReadName(props: Props) {
  const { kind, id, type } = props;
  const { ref, inViewport } = useInViewport<HTMLSpanElement>();
  const queries = useQueryClient();
  const [wasSeen, setSeen] = useState(false);
  if (inViewport && !wasSeen) setSeen(true);
  const node = useQuery({ ...entityOptions(queries, { kind: 'node', id }), enabled: wasSeen && kind !== 'edge', retry: false });
  const isEdge = kind === 'edge' || (kind === null && node.error instanceof Problem && node.error.status === 404);
  const edge = useQuery({ ...entityOptions(queries, { kind: 'edge', id }), enabled: wasSeen && isEdge, retry: false });
  const read = (isEdge ? edge : node).data;
  const shown = read ? nameOf(read) : [type && escapeInvisible(type), shortId(id)].filter(Boolean).join(' ');
  return (
    <span ref={ref}>
      <NameOrLink {...props} shown={shown} />
    </span>
  );
}

function NameOrLink({ kind, id, type, tab, shown }: Props & { shown: string }) {
  return (
    <span title={id} style={{ overflowWrap: 'anywhere' }}>
      {tab && kind ? (
        <Link
          className="linkbutton"
          style={{ textDecoration: 'underline' }}
          to={explorePath({ kind, type: type ?? null, open: { kind, id }, tab })}
        >
          {shown}
        </Link>
      ) : (
        shown
      )}
    </span>
  );
}
