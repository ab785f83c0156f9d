import { Pill } from '@mantine/core';
import { captionOrId } from '../values/text';
import type { Row } from './lists';

/** The node at which listed edges begin or end, with a button that shows all edges again. */
export function EndChip({ end, rows, onRemove }: { end: string; rows: Row[]; onRemove: () => void }) {
  const row = rows.find((each) => 'source_id' in each && (each.source_id === end || each.target_id === end));
  const caption = row && 'source_id' in row ? (row.source_id === end ? row.source : row.target)?.caption : null;
  const text = `from or to ${captionOrId(caption, end)}`;
  return (
    <Pill
      withRemoveButton
      size="md"
      onRemove={onRemove}
      removeButtonProps={{ 'aria-label': `Remove filter ${text}`, 'aria-hidden': false, tabIndex: 0 }}
      style={{ maxWidth: 280 }}
    >
      {text}
    </Pill>
  );
}
