// The nodes and marks of the canvas as a list, for the keyboard and for screen readers. Both always show the same selection.
import { TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { TypeMark } from '../explore/TypeMark';
import { useRowWindow } from '../explore/useRowWindow';
import { escapeInvisible } from '../values/text';
import { isMark } from './groups';

const rowHeight = 29;

export interface Item {
  id: string;
  type: string | null;
  label: string;
}

interface Props {
  items: Item[];
  selected: string[]; // the last one is the active one
  /** add keeps the nodes selected so far. */
  onSelect: (id: string, add: boolean) => void;
  /** Selects these and no others. */
  onSelectAll: (ids: string[]) => void;
  onOpen: (id: string) => void;
  onKey: (key: string, id: string) => boolean;
  /** Opens the menu of a node. */
  onMenu: (id: string) => void;
}

export function ItemList({ items, selected, onSelect, onSelectAll, onOpen, onKey, onMenu }: Props) {
  const [filter, setFilter] = useState('');
  const searchText = filter.trim().toLowerCase();
  const shown = items
    .filter(({ type, label }) => !searchText || label.toLowerCase().includes(searchText) || (type ?? '').toLowerCase().includes(searchText))
    .sort(
      (a, b) => Number(isMark(a.id)) - Number(isMark(b.id)) || (a.type ?? '').localeCompare(b.type ?? '') || a.label.localeCompare(b.label),
    );
  const activeId = selected.at(-1);
  const { first, end, setBox, reveal } = useRowWindow(shown.length, rowHeight, 0);
  const chosen = new Set(selected);
  const activeIndex = shown.findIndex(({ id }) => id === activeId);

  const place = useRef(0); // of the item that was active last: the next one is there once that is hidden

  useEffect(() => {
    if (activeIndex < 0) return;
    place.current = activeIndex;
    reveal(activeIndex);
  }, [activeIndex, reveal]);

  function handleKeyDown(event: KeyboardEvent) {
    const [before, behind] = activeIndex < 0 ? [place.current - 1, place.current] : [activeIndex - 1, activeIndex + 1];
    const steps: Record<string, number> = { ArrowDown: behind, ArrowUp: before, Home: 0, End: shown.length - 1 };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      const next = shown[Math.max(0, Math.min(shown.length - 1, to))];
      if (next) onSelect(next.id, event.shiftKey);
    } else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSelectAll(shown.map(({ id }) => id));
    } else if (event.key === 'Enter' && activeId) {
      event.preventDefault();
      onOpen(activeId);
    } else if (activeId && !event.ctrlKey && !event.metaKey && onKey(event.key.toLowerCase(), activeId)) {
      event.preventDefault();
    }
  }

  return (
    <aside className="items" aria-label="On the canvas">
      <TextInput
        size="xs"
        m="xs"
        mb={4}
        placeholder="Find on the canvas"
        aria-label="Find on the canvas"
        leftSection={<Search size={14} />}
        value={filter}
        onChange={(e) => setFilter(e.currentTarget.value)}
      />
      <div className="items-scroll" ref={setBox}>
        <div
          role="listbox"
          aria-label="Nodes on the canvas"
          aria-multiselectable
          tabIndex={0}
          onKeyDown={handleKeyDown}
          onContextMenu={(event) => {
            const index = /^item-(\d+)$/.exec((event.target as HTMLElement).closest('.item')?.id ?? '')?.[1];
            const id = index === undefined ? activeId : shown[Number(index)]?.id;
            if (id === undefined) return;
            event.preventDefault();
            onMenu(id);
          }}
          aria-activedescendant={activeIndex >= 0 ? `item-${activeIndex}` : undefined}
          aria-describedby="items-help"
          style={{ height: shown.length * rowHeight, position: 'relative', minHeight: rowHeight }}
        >
          {shown.slice(first, end).map((item, offset) => (
            <ItemOption
              key={item.id}
              item={item}
              index={first + offset}
              chosen={chosen.has(item.id)}
              onSelect={(add) => onSelect(item.id, add)}
              onOpen={() => onOpen(item.id)}
            />
          ))}
        </div>
      </div>
      <p
        id="items-help"
        className="items-keys"
        style={{ margin: 0, padding: '0.4rem 0.6rem', fontSize: 11, color: 'var(--muted)', borderTop: '1px solid var(--line)' }}
      >
        Arrows select (Shift: several, Ctrl A: all found), Enter opens, E expands, C collapses, G groups, P pins, H hides
      </p>
    </aside>
  );
}

interface OptionProps {
  item: Item;
  index: number;
  chosen: boolean;
  onSelect: (add: boolean) => void;
  onOpen: () => void;
}

function ItemOption({ item: { type, label }, index, chosen, onSelect, onOpen }: OptionProps) {
  return (
    <div
      id={`item-${index}`}
      className="item"
      role="option"
      aria-selected={chosen}
      style={{ position: 'absolute', top: 0, height: rowHeight, transform: `translateY(${index * rowHeight}px)` }}
      onClick={(event) => onSelect(event.shiftKey)}
      onDoubleClick={onOpen}
    >
      <TypeMark kind="node" type={type} />
      <span className="type-name" title={label}>
        {label}
      </span>
      <span style={{ position: 'absolute', left: -9999 }}>{escapeInvisible(type ?? '')}</span>
    </div>
  );
}
