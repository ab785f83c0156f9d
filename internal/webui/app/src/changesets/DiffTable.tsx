import { Button } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { explorePath } from '../explore/url';
import { ValueDifference } from '../history/ValueTable';
import { escapeInvisible, pluralize } from '../values/text';
import type { Conflict } from './changesets';
import { fieldWithinOperation } from './batch';
import { diffValues, entityKey, entityName, isMissing, stateOf, type DiffItem } from './diff';
import { DiffSymbol } from './DiffSymbol';

// A change set has at most 1,000 operations.
const shownItems = 50;
const shownEdges = 10;

/** The entities of a diff, each with its values before and after. */
export function DiffTable({ items, names }: { items: DiffItem[]; names: Map<string, string> }) {
  const [all, setAll] = useState(false);
  return (
    <>
      {(all ? items : items.slice(0, shownItems)).map((item) => (
        <DiffCard key={`${entityKey(item.entity)} ${item.entity.operation}`} item={item} names={names} />
      ))}
      {!all && items.length > shownItems && (
        <Button size="xs" variant="default" onClick={() => setAll(true)}>
          Show all {items.length}
        </Button>
      )}
    </>
  );
}

/** One entity of a diff. */
export function DiffCard({ item: { entity, deletedEdges, violations }, names }: { item: DiffItem; names: Map<string, string> }) {
  const name = entityName(entity, names);
  const state = stateOf(entity);
  return (
    <section className="diff-card" data-status={entity.status} aria-label={`${entity.status} ${entity.kind} ${name}`}>
      <header className="diff-head">
        <DiffSymbol status={entity.status} />
        <span style={{ overflowWrap: 'anywhere' }}>
          {entity.kind}{' '}
          {entity.id !== undefined && !isMissing(entity) ? (
            <Link
              className="linkbutton"
              style={{ textDecoration: 'underline', whiteSpace: 'normal' }}
              to={explorePath({ kind: entity.kind, type: entity.type, open: { kind: entity.kind, id: entity.id } })}
            >
              {name}
            </Link>
          ) : (
            <strong style={{ fontWeight: 600 }}>{name}</strong>
          )}
          {entity.kind === 'node' && state && (
            <span style={{ color: 'var(--muted)' }}> {escapeInvisible(state.labels?.join(', ') || (state.type ?? 'no label'))}</span>
          )}
        </span>
      </header>
      {entity.conflict && <ConflictNote conflict={entity.conflict} />}
      {violations.length > 0 && (
        <div className="diff-note" role="note" aria-label="Violations">
          <TriangleAlert size={15} aria-hidden />
          <ul>
            {violations.map(({ field, message }, index) => (
              <li key={index}>
                <strong>{escapeInvisible(fieldWithinOperation(field).replace(/^properties\./, ''))}</strong> {escapeInvisible(message)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {isMissing(entity) ? null : (
        <ValueDifference values={diffValues(entity)} label="Values before and after" same="Its values stay as they are." />
      )}
      {deletedEdges.length > 0 && <DeletedEdges edges={deletedEdges} names={names} />}
    </section>
  );
}

function ConflictNote({ conflict: { message, expected, found } }: { conflict: Conflict }) {
  return (
    <div className="diff-note conflict" role="note" aria-label="Conflict">
      <TriangleAlert size={15} aria-hidden />
      <span>
        <strong>Conflict:</strong> {escapeInvisible(message)}.
        {expected && found ? ' The values before are the current ones, not those that the proposal was based on.' : ''}
      </span>
    </div>
  );
}

function DeletedEdges({ edges, names }: { edges: DiffItem['deletedEdges']; names: Map<string, string> }) {
  const list = (
    <ul className="taken-along" aria-label="Edges deleted with the node">
      {edges.map((edge) => (
        <li key={entityKey(edge)}>{entityName(edge, names)}</li>
      ))}
    </ul>
  );
  const text = `${pluralize(edges.length, 'edge is', 'edges are')} deleted with it`;
  if (edges.length <= shownEdges) {
    return (
      <>
        <p className="change-note">{text}:</p>
        {list}
      </>
    );
  }
  return (
    <details>
      <summary>{text}</summary>
      {list}
    </details>
  );
}
