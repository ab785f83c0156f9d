// The hits of a search, which are opened, or selected and drawn.
import { Checkbox } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { AddToCanvas } from '../canvas/AddToCanvas';
import { maxSingleNodes } from '../canvas/steps';
import type { EntityRef } from '../explore/url';
import { formatCount, pluralize } from '../values/text';
import { HitRow } from './HitRow';
import { hitEntity, hitName, hitRef } from './hits';
import type { Hit } from './search';

interface Props {
  hits: Hit[];
  label: string;
  open: EntityRef | null;
  onOpen: (open: EntityRef) => void;
  /** Whether others are awaited. */
  busy?: boolean;
  /** What stands below them. */
  children?: ReactNode;
}

/** What draws hits: nodes, and the ends of edges, which come with the edges between them. */
const nodesOf = (hits: Hit[]) => [
  ...new Set(hits.flatMap((hit) => (hit.kind === 'node' ? [hit.node.id] : [hit.edge.source_id, hit.edge.target_id]))),
];

export function HitList({ hits, label, open, onOpen, busy = false, children }: Props) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = hits.filter((hit) => selected.has(hitEntity(hit).id));
  const nodes = nodesOf(chosen);
  const select = (these: Hit[]) => setSelected(new Set(these.map((hit) => hitEntity(hit).id)));
  const toggle = (hit: Hit) => select(chosen.includes(hit) ? chosen.filter((each) => each !== hit) : [...chosen, hit]);
  return (
    <>
      {chosen.length > 0 && (
        <div className="selection-bar" role="region" aria-label="Selection">
          <span role="status">{formatCount(chosen.length)} selected</span>
          {nodes.length <= maxSingleNodes ? (
            <AddToCanvas addition={() => ({ ids: nodes })} size="compact-xs" />
          ) : (
            `At most ${maxSingleNodes} nodes can be added at once`
          )}
          <span className="spacer" />
          {chosen.length < hits.length && (
            <button type="button" className="linkbutton" onClick={() => select(hits)}>
              Select all {pluralize(hits.length, 'loaded result')}
            </button>
          )}
          <button type="button" className="linkbutton" onClick={() => select([])}>
            Clear selection
          </button>
        </div>
      )}
      <div className="hits" role="region" aria-label={label} aria-busy={busy} tabIndex={0}>
        {hits.map((hit) => (
          <div key={`${hit.kind} ${hitEntity(hit).id}`} className="hit-row">
            <Checkbox size="xs" aria-label={`Select ${hitName(hit)}`} checked={chosen.includes(hit)} onChange={() => toggle(hit)} />
            <HitRow hit={hit} chosen={open?.id === hitEntity(hit).id} onOpen={() => onOpen(hitRef(hit))} />
          </div>
        ))}
        {children}
      </div>
    </>
  );
}
