// The lasso: a line drawn around nodes selects them. It lies above the canvas while it is switched on.
import type { Core, Position } from 'cytoscape';
import { useState, type PointerEvent } from 'react';

/** Whether a point is inside a polygon: a ray from it crosses the outline an odd number of times. */
export function isInside({ x, y }: Position, polygon: Position[]): boolean {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [a, b] = [polygon[i]!, polygon[j]!];
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

interface Props {
  core: Core;
  /** Called with the ids of the nodes inside; add if Shift is held. */
  onSelect: (ids: string[], add: boolean) => void;
}

export function Lasso({ core, onSelect }: Props) {
  const [line, setLine] = useState<Position[]>([]);
  const pointOf = (event: PointerEvent<SVGSVGElement>): Position => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  function finish(event: PointerEvent<SVGSVGElement>) {
    if (line.length === 0) return;
    const outline = [...line, pointOf(event)];
    setLine([]);
    onSelect(
      core
        .nodes()
        .filter((node) => isInside(node.renderedPosition(), outline))
        .map((node) => node.id()),
      event.shiftKey,
    );
  }
  return (
    <svg
      className="lasso"
      aria-hidden
      data-testid="lasso"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        setLine([pointOf(event)]);
      }}
      onPointerMove={(event) => line.length > 0 && setLine([...line, pointOf(event)])}
      onPointerUp={finish}
      onPointerCancel={() => setLine([])}
    >
      {line.length > 1 && <polygon points={line.map(({ x, y }) => `${x},${y}`).join(' ')} />}
    </svg>
  );
}
