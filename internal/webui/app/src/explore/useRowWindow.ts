// Computes the visible rows of a long list. All rows have the same height, so nothing is measured or stored for each row.
import { useCallback, useEffect, useRef, useState } from 'react';

const overscan = 12; // rows rendered above and below the visible ones
const windowStep = 6; // the window moves by so many rows, not with every pixel

export interface RowWindow {
  first: number;
  /** The index after the last row. */
  end: number;
}

export function windowOf(top: number, height: number, row: number): RowWindow {
  const start = Math.floor(Math.max(0, top) / row / windowStep) * windowStep;
  return { first: Math.max(0, start - overscan), end: start + Math.ceil(height / row) + windowStep + overscan };
}

/** Returns the rows to render, the ref of the scrolling element, and reveal. head is the height of the sticky heading. */
export function useRowWindow(count: number, row: number, head: number) {
  const [range, setRange] = useState<RowWindow>({ first: 0, end: overscan });
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const element = useRef<HTMLDivElement | null>(null);

  const updateRange = useCallback(() => {
    if (!element.current) return;
    const next = windowOf(element.current.scrollTop, element.current.clientHeight, row);
    setRange((now) => (now.first === next.first && now.end === next.end ? now : next));
  }, [row]);

  useEffect(() => {
    element.current = box;
    if (!box) return;
    updateRange();
    box.addEventListener('scroll', updateRange, { passive: true });
    const resized = new ResizeObserver(updateRange);
    resized.observe(box);
    return () => {
      box.removeEventListener('scroll', updateRange);
      resized.disconnect();
    };
  }, [box, updateRange]);

  /** Scrolls a row into view, as little as needed. */
  const reveal = useCallback(
    (index: number) => {
      if (!box) return;
      const top = index * row;
      if (top < box.scrollTop) box.scrollTop = top;
      else if (top + row > box.scrollTop + box.clientHeight - head) box.scrollTop = top + row + head - box.clientHeight;
      updateRange();
    },
    [box, row, head, updateRange],
  );

  const first = Math.min(range.first, Math.max(0, count - 1));
  return { first, end: Math.min(range.end, count), setBox, box, reveal };
}
