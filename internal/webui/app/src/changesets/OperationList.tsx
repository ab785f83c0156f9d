import { ActionIcon, Tooltip } from '@mantine/core';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { ActionBadge } from '../history/ActionBadge';
import { ShortValue } from '../history/ShortValue';
import { escapeInvisible, pluralize, shortId } from '../values/text';
import { actionOf, changedProperties, kindOf, type Operation, type Reference } from './operations';
import type { ProposedOperation } from './proposal';

const actionLabels = { create: 'Create', update: 'Change', delete: 'Delete' };
const shownValues = 6;

interface Props {
  items: ProposedOperation[];
  /** The name of the node at an end of a new edge. */
  nameOf: (reference: Reference) => string;
  onRemove?: (item: ProposedOperation) => void;
}

/** Operations in their order, with the values that they write. */
export function OperationList({ items, nameOf, onRemove }: Props) {
  return (
    <ol className="operations" aria-label="Operations">
      {items.map((item, index) => (
        <li key={index}>
          <ActionBadge action={actionOf(item.operation)} label={actionLabels[actionOf(item.operation)]} />
          <div style={{ flex: 1, minWidth: 0 }}>
            {kindOf(item.operation)} <strong style={{ fontWeight: 600 }}>{escapeInvisible(item.name)}</strong>
            {item.type !== null && item.type !== item.name && <span style={{ color: 'var(--muted)' }}> {escapeInvisible(item.type)}</span>}
            <Values item={item} nameOf={nameOf} />
          </div>
          {onRemove && (
            <Tooltip label="Remove">
              <ActionIcon
                aria-label={`Remove: ${actionLabels[actionOf(item.operation)].toLowerCase()} ${escapeInvisible(item.name)}`}
                onClick={() => onRemove(item)}
              >
                <X size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </li>
      ))}
    </ol>
  );
}

/** The values that an operation writes: "born: 1960 → 1961". */
function Values({ item: { operation, before }, nameOf }: { item: ProposedOperation; nameOf: Props['nameOf'] }) {
  const rows: [string, ReactNode][] = [];
  if (operation.op === 'create_edge')
    rows.push(['from', escapeInvisible(nameOf(operation.source_id))], ['to', escapeInvisible(nameOf(operation.target_id))]);
  for (const [name, value] of Object.entries(writtenValues(operation))) {
    const after = <ShortValue value={value ?? undefined} />;
    const old = before && Object.hasOwn(before.properties, name) ? before.properties[name] : undefined;
    rows.push([
      name,
      before ? (
        <>
          <ShortValue value={old} /> → {after}
        </>
      ) : (
        after
      ),
    ]);
  }
  return (
    <>
      {rows.slice(0, shownValues).map(([name, value]) => (
        <div key={name} className="diff">
          <span style={{ color: 'var(--muted)' }}>{escapeInvisible(name)}:</span> {value}
        </div>
      ))}
      {rows.length > shownValues && <div className="diff absent">{pluralize(rows.length - shownValues, 'more value')}</div>}
    </>
  );
}

function writtenValues(operation: Operation) {
  return operation.op === 'create_node' || operation.op === 'create_edge' ? (operation.properties ?? {}) : changedProperties(operation);
}

/** The name of a reference that has no better one. */
export const referenceText = (reference: Reference) => (typeof reference === 'string' ? shortId(reference) : reference.ref);
