import { useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';

// How far each list was scrolled. The rows that it had are kept for some minutes.
const places = new Map<string, number>();

/** Shows a list where it was left, when the browser goes back or forward to it. */
export function useScrollPlace(box: HTMLElement | null, list: string) {
  const type = useNavigationType();
  const isReturn = useRef(false);
  isReturn.current = type === 'POP';
  useEffect(() => {
    if (!box) return;
    if (isReturn.current) box.scrollTop = places.get(list) ?? 0;
    const save = () => places.set(list, box.scrollTop);
    box.addEventListener('scroll', save, { passive: true });
    return () => box.removeEventListener('scroll', save);
  }, [box, list]);
}
