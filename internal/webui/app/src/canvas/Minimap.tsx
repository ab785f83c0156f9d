// The whole graph in small, with a frame around what is in view. It is shown while a part of the graph is out of view.
import type { Core, Position } from 'cytoscape';
import { useEffect, useRef, useState, type PointerEvent } from 'react';

const size = { width: 168, height: 112 }; // pixels, as in canvas.css
const margin = 6;

interface Props {
  core: Core;
  dark: boolean;
  /** Moves the view to a point of the graph. */
  onCenter: (point: Position) => void;
}

/** From points of the graph to pixels of the map. */
interface Scale {
  factor: number;
  left: number;
  top: number;
}

function scaleOf(core: Core): Scale {
  const box = core.nodes().boundingBox({ includeLabels: false });
  const factor = Math.min((size.width - 2 * margin) / Math.max(box.w, 1), (size.height - 2 * margin) / Math.max(box.h, 1));
  return { factor, left: (size.width - factor * (box.x1 + box.x2)) / 2, top: (size.height - factor * (box.y1 + box.y2)) / 2 };
}

/** Whether a node is outside the view. */
function isCut(core: Core): boolean {
  const view = core.extent();
  const outside = core.nodes().filter((node) => {
    const { x, y } = node.position();
    return x < view.x1 || x > view.x2 || y < view.y1 || y > view.y2;
  });
  return outside.nonempty();
}

function draw(core: Core, board: HTMLCanvasElement, dark: boolean): Scale {
  const scale = scaleOf(core);
  const { factor, left, top } = scale;
  const ratio = window.devicePixelRatio || 1;
  board.width = size.width * ratio;
  board.height = size.height * ratio;
  const context = board.getContext('2d');
  if (!context) return scale;
  context.scale(ratio, ratio);
  core.nodes().forEach((node) => {
    const { x, y } = node.position();
    const radius = Math.max(1.2, (factor * node.width()) / 2);
    context.fillStyle = String(node.data('colour'));
    context.beginPath();
    context.arc(left + factor * x, top + factor * y, radius, 0, 2 * Math.PI);
    context.fill();
  });
  const { x1, y1, w, h } = core.extent();
  context.strokeStyle = dark ? '#58b7cf' : '#0f6b82';
  context.lineWidth = 1.5;
  context.strokeRect(left + factor * x1, top + factor * y1, factor * w, factor * h);
  return scale;
}

export function Minimap({ core, dark, onCenter }: Props) {
  const board = useRef<HTMLCanvasElement>(null);
  const scale = useRef<Scale>({ factor: 1, left: 0, top: 0 });
  const [shown, setShown] = useState(false);

  useEffect(() => {
    let frame = 0;
    const update = () => {
      frame = 0;
      setShown(isCut(core));
      if (board.current) scale.current = draw(core, board.current, dark);
    };
    const schedule = () => {
      frame ||= requestAnimationFrame(update);
    };
    const events = 'viewport resize position add remove data';
    core.on(events, schedule);
    schedule();
    return () => {
      cancelAnimationFrame(frame);
      core.off(events, schedule);
    };
  }, [core, dark, shown]);

  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (event.buttons !== 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const box = event.currentTarget.getBoundingClientRect();
    const { factor, left, top } = scale.current;
    onCenter({ x: (event.clientX - box.left - left) / factor, y: (event.clientY - box.top - top) / factor });
  };
  if (!shown) return null;
  return (
    <canvas ref={board} className="minimap" style={size} aria-hidden data-testid="minimap" onPointerDown={move} onPointerMove={move} />
  );
}
