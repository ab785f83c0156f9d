import { memo, type MouseEvent } from 'react';
import { nameOfNode, edgeAppearanceOf } from './appearance';
import type { Column } from './columns';
import { EndLink } from './EndLink';
import type { Row } from './lists';
import { LinkedText } from '../values/LinkedText';
import { captionOf, captionOrId, escapeInvisible } from '../values/text';
import { TypeMark } from './TypeMark';

export const rowHeight = 36;

export interface RowActions {
  onClick: (event: MouseEvent, index: number, row: Row) => void;
  onDoubleClick: (event: MouseEvent, row: Row) => void;
  onToggle: (event: MouseEvent, index: number, row: Row) => void;
  onOpenNode: (id: string) => void;
}

interface Props {
  row: Row;
  index: number;
  columns: Column[];
  /** Whether the panel shows it. */
  open: boolean;
  /** Whether it is selected; null if rows cannot be selected. */
  selected: boolean | null;
  active: boolean;
  /** Changes when the colours of types change. */
  appearanceVersion: number;
  actions: RowActions;
}

/** The accessible name of a row. */
function nameOfRow(row: Row): string {
  if (!('source_id' in row)) return captionOf(row.properties, row.id);
  const [source, target] = [captionOrId(row.source?.caption, row.source_id), captionOrId(row.target?.caption, row.target_id)];
  return `${escapeInvisible(row.type)} from ${source} to ${target}`;
}

export const TableRow = memo(function Line({ row, index, columns, open, selected, active, actions }: Props) {
  return (
    <div
      className="grid-row"
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-current={open}
      aria-selected={selected ?? undefined}
      tabIndex={active ? 0 : -1}
      style={{ height: rowHeight, transform: `translateY(${index * rowHeight}px)` }}
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={(event) => actions.onClick(event, index, row)}
      onDoubleClick={(event) => actions.onDoubleClick(event, row)}
    >
      {selected !== null && (
        <div className="cell check" role="gridcell" onClick={(event) => actions.onToggle(event, index, row)}>
          <span role="checkbox" aria-checked={selected} aria-label={`Select ${nameOfRow(row)}`} className="check-mark" />
        </div>
      )}
      {columns.map((c, column) => (
        <Cell key={c.key} column={c} index={column} row={row} onOpenNode={actions.onOpenNode} />
      ))}
    </div>
  );
});

function Cell({ column, index, row, onOpenNode }: { column: Column; index: number; row: Row; onOpenNode: (id: string) => void }) {
  const text = column.text(row);
  const cell = { role: 'gridcell', 'data-column': index, tabIndex: -1, style: { width: `var(--w${index})` } };
  if ('source_id' in row && (column.key === 'source' || column.key === 'target')) {
    return (
      <div {...cell} className="cell" title={text}>
        <EndLink end={row[column.key]} id={row[`${column.key}_id`]} inTable onOpen={onOpenNode} />
      </div>
    );
  }
  const links = column.links?.(row);
  if (links && links.nodes.length > 0) {
    return (
      <div {...cell} className="cell link-names" title={text}>
        {links.nodes.map((node, at) => (
          <EndLink key={`${at} ${node.id}`} end={{ type: node.type, caption: nameOfNode(node) }} id={node.id} inTable onOpen={onOpenNode} />
        ))}
        {links.more > 0 && <span className="link-more">+ {links.more} more</span>}
      </div>
    );
  }
  if (text === undefined) {
    return (
      <div {...cell} className="cell absent">
        <span aria-label="not set">–</span>
      </div>
    );
  }
  return (
    <div
      {...cell}
      className={`cell${column.number ? ' number' : ''}${column.key === 'id' ? ' mono' : ''}`}
      title={column.problem ?? (text.length > 20 ? text : undefined)}
    >
      {column.key === 'type' && (!('source_id' in row) || edgeAppearanceOf(row.type).colour) && (
        <TypeMark
          kind={'source_id' in row ? 'edge' : 'node'}
          type={row.type}
          style={{ display: 'inline-block', marginRight: 8, verticalAlign: 'middle' }}
        />
      )}
      {column.property === undefined ? text : <LinkedText value={row.properties[column.property]} text={text} inTable />}
    </div>
  );
}
