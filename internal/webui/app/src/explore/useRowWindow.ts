// Which rows of a long list are in sight. All have one height, so this is arithmetic: nothing is measured or kept for each row.
import { useCallback, useEffect, useRef, useState } from 'react';

const beyond = 12; // rows made above and below those in sight
const step = 6; // the window moves by so many rows, not with every pixel

export interface RowWindow {
  first: number;
  /** One past the last. */
  end: number;
}

export function windowOf(top: number, height: number, row: number): RowWindow {
  const at = Math.floor(Math.max(0, top) / row / step) * step;
  return { first: Math.max(0, at - beyond), end: at + Math.ceil(height / row) + step + beyond };
}

/** The rows to make, the ref for what scrolls, and how to bring a row into sight; head is the height that covers the first ones. */
export function useRowWindow(count: number, row: number, head: number) {
  const [seen, setSeen] = useState<RowWindow>({ first: 0, end: beyond });
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const element = useRef<HTMLDivElement | null>(null);

  const look = useCallback(() => {
    if (!element.current) return;
    const next = windowOf(element.current.scrollTop, element.current.clientHeight, row);
    setSeen((now) => (now.first === next.first && now.end === next.end ? now : next));
  }, [row]);

  useEffect(() => {
    element.current = box;
    if (!box) return;
    look();
    box.addEventListener('scroll', look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(box);
    return () => {
      box.removeEventListener('scroll', look);
      resized.disconnect();
    };
  }, [box, look]);

  /** Scrolls as little as needed. */
  const reveal = useCallback((index: number) => {
    if (!box) return;
    const top = index * row;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + row > box.scrollTop + box.clientHeight - head) box.scrollTop = top + row + head - box.clientHeight;
    look();
  }, [box, row, head, look]);

  const first = Math.min(seen.first, Math.max(0, count - 1));
  return { first, end: Math.min(seen.end, count), setBox, box, reveal };
}
