// The nodes of the canvas as a list, for the keyboard and for screen readers. Both always show the same selection.
import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useState, type KeyboardEvent } from 'react';
import type { GraphNode } from '../api/graph';
import { appearanceOf } from '../explore/appearance';
import { useRowWindow } from '../explore/useRowWindow';
import { escapeInvisible } from '../values/text';
import { labelOf } from './drawing';

const rowHeight = 29;

interface Props {
  nodes: GraphNode[];
  selected: string[]; // the last one is the active one
  /** add keeps the nodes selected so far. */
  onSelect: (id: string, add: boolean) => void;
  onOpen: (id: string) => void;
  onKey: (key: string, id: string) => boolean;
}

export function ItemList({ nodes, selected, onSelect, onOpen, onKey }: Props) {
  const [filter, setFilter] = useState('');
  const searchText = filter.trim().toLowerCase();
  const shown = nodes
    .map((node) => ({ node, label: labelOf(node) }))
    .filter(({ node, label }) => !searchText || label.toLowerCase().includes(searchText) || (node.type ?? '').toLowerCase().includes(searchText))
    .sort((a, b) => (a.node.type ?? '').localeCompare(b.node.type ?? '') || a.label.localeCompare(b.label));
  const activeId = selected.at(-1);
  const { first, end, setBox, reveal } = useRowWindow(shown.length, rowHeight, 0);
  const activeIndex = shown.findIndex(({ node }) => node.id === activeId);

  useEffect(() => {
    if (activeIndex >= 0) reveal(activeIndex);
  }, [activeIndex, reveal]);

  function handleKeyDown(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowDown: activeIndex + 1, ArrowUp: activeIndex - 1, Home: 0, End: shown.length - 1 };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      const next = shown[Math.max(0, Math.min(shown.length - 1, to))];
      if (next) onSelect(next.node.id, event.shiftKey);
    } else if (event.key === 'Enter' && activeId) {
      event.preventDefault();
      onOpen(activeId);
    } else if (activeId && !event.ctrlKey && !event.metaKey && onKey(event.key.toLowerCase(), activeId)) {
      event.preventDefault();
    }
  }

  return (
    <aside className="items" aria-label="On the canvas">
      <TextInput size="xs" m="xs" mb={4} placeholder="Find on the canvas" aria-label="Find on the canvas" leftSection={<Search size={14} />} value={filter} onChange={(e) => setFilter(e.currentTarget.value)} />
      <div className="items-scroll" ref={setBox}>
        <div
          role="listbox" aria-label="Nodes on the canvas" aria-multiselectable tabIndex={0} onKeyDown={handleKeyDown} aria-activedescendant={activeIndex >= 0 ? `item-${activeIndex}` : undefined}
          aria-describedby="items-help" style={{ height: shown.length * rowHeight, position: 'relative', minHeight: rowHeight }}
        >
          {shown.slice(first, end).map(({ node, label }, offset) => {
            const index = first + offset;
            return (
              <div
                key={node.id} id={`item-${index}`} className="item" role="option" aria-selected={selected.includes(node.id)} style={{ position: 'absolute', top: 0, transform: `translateY(${index * rowHeight}px)` }}
                onClick={(event) => onSelect(node.id, event.shiftKey)} onDoubleClick={() => onOpen(node.id)}
              >
                <span className="dot" style={{ background: appearanceOf(node.type).colour }} />
                <span className="type-name" title={label}>
                  {label}
                </span>
                <span style={{ position: 'absolute', left: -9999 }}>{escapeInvisible(node.type ?? '')}</span>
              </div>
            );
          })}
        </div>
      </div>
      <p id="items-help" style={{ margin: 0, padding: '0.4rem 0.6rem', fontSize: 11, color: 'var(--muted)', borderTop: '1px solid var(--line)' }}>
        Arrows select (Shift: several), Enter opens, E expands, C collapses, P pins, H hides
      </p>
    </aside>
  );
}
