// A map with points. Dragging moves it or selects the points of a rectangle; the arrows go from point to point.
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import { appearanceOf, edgeAppearanceOf } from '../explore/appearance';
import { nameOf } from '../explore/EntityName';
import type { Row } from '../explore/lists';
import { Earth } from '../values/Earth';
import { boxOf, moved, zoomed, type Box, type Place } from './points';

interface Props {
  label: string;
  places: Place[];
  box: Box;
  onBox: (change: (box: Box) => Box) => void;
  /** The id of the entity in the panel. */
  open: string;
  isSelected: (row: Row) => boolean;
  /** Whether dragging selects. */
  selecting: boolean;
  onSelectBox: (box: Box) => void;
  onToggle: (row: Row) => void;
  onOpen: (row: Row) => void;
}

interface Corner {
  x: number;
  y: number;
}

/** Dragging on the map: it moves, or a rectangle is drawn. Also how many degrees a pixel has. */
function useDrag({ selecting, box, onBox, onSelectBox }: Pick<Props, 'selecting' | 'box' | 'onBox' | 'onSelectBox'>) {
  const svg = useRef<SVGSVGElement>(null);
  const [from, setFrom] = useState<Corner | null>(null);
  const [to, setTo] = useState<Corner | null>(null);
  const [size, setSize] = useState([800, 400]);
  /** The degrees where an event is. */
  function placeAt(event: { clientX: number; clientY: number }): Corner {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.current!.getScreenCTM()!.inverse());
    return { x, y };
  }
  useEffect(() => {
    const element = svg.current!;
    const handleWheel = (event: WheelEvent) => {
      event.preventDefault();
      onBox((now) => zoomed(now, event.deltaY > 0 ? 1.25 : 0.8));
    };
    element.addEventListener('wheel', handleWheel, { passive: false });
    const observer = new ResizeObserver(() => setSize([element.clientWidth, element.clientHeight]));
    observer.observe(element);
    return () => {
      element.removeEventListener('wheel', handleWheel);
      observer.disconnect();
    };
  }, [onBox]);
  const handlers = {
    onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
      if (event.button !== 0 || (event.target as Element).closest('[role="option"]')) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setFrom(placeAt(event));
      setTo(null);
    },
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
      if (!from) return;
      const now = placeAt(event);
      if (selecting) setTo(now);
      else onBox((before) => moved(before, from.x - now.x, from.y - now.y));
    },
    onPointerUp: () => {
      if (from && to && selecting) onSelectBox(boxOf(from, to));
      setFrom(null);
      setTo(null);
    },
  };
  return { svg, handlers, area: from && to ? boxOf(from, to) : null, pixel: Math.max(box.width / size[0]!, box.height / size[1]!) };
}

const colorOf = (row: Row) => ('source_id' in row ? edgeAppearanceOf(row.type).colour : appearanceOf(row.type).colour);
const rowName = (row: Row) =>
  nameOf('source_id' in row ? { kind: 'edge', entity: row, etag: '' } : { kind: 'node', entity: row, etag: '' });

export function EarthMap(props: Props) {
  const { label, places, box, open, isSelected, selecting, onToggle, onOpen } = props;
  const { svg, handlers, area, pixel } = useDrag(props);
  const [current, setCurrent] = useState(0);
  const focused = Math.min(current, places.length - 1);

  function go(index: number) {
    const next = Math.max(0, Math.min(places.length - 1, index));
    setCurrent(next);
    svg.current?.querySelectorAll<SVGElement>('[role="option"]')[next]?.focus();
  }
  function handleKey(event: KeyboardEvent, index: number) {
    const steps: Record<string, number> = { ArrowRight: index + 1, ArrowDown: index + 1, ArrowLeft: index - 1, ArrowUp: index - 1 };
    const target = { ...steps, Home: 0, End: places.length - 1 }[event.key];
    if (target !== undefined) go(target);
    else if (event.key === 'Enter') onOpen(places[index]!.row);
    else if (event.key === ' ') onToggle(places[index]!.row);
    else return;
    event.preventDefault();
  }
  return (
    <svg
      ref={svg}
      className={selecting ? 'earth-map selecting' : 'earth-map'}
      viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
      {...handlers}
    >
      <Earth />
      <g role="listbox" aria-label={label} aria-multiselectable>
        {places.map(({ row, x, y }, index) => (
          <circle
            key={row.id}
            role="option"
            aria-selected={isSelected(row)}
            aria-label={rowName(row)}
            tabIndex={index === focused ? 0 : -1}
            cx={x}
            cy={y}
            r={pixel * (row.id === open ? 9 : 7)}
            fill={colorOf(row) ?? 'currentColor'}
            data-open={row.id === open || undefined}
            onFocus={() => setCurrent(index)}
            onKeyDown={(event) => handleKey(event, index)}
            onClick={(event) => (event.ctrlKey || event.metaKey ? onToggle(row) : onOpen(row))}
          >
            <title>{rowName(row)}</title>
          </circle>
        ))}
      </g>
      {area && <rect className="area" {...area} />}
    </svg>
  );
}
