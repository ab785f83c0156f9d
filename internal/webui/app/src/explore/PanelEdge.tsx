import type { KeyboardEvent, PointerEvent } from 'react';
import { panelBounds, type PanelLayout, type PanelName } from './usePanels';

interface Props {
  name: PanelName;
  label: string;
  layout: PanelLayout;
}

const widthStep = 16; // pixels, for the arrow keys

/** The edge of a panel, which changes its width: by dragging, or with the arrow keys. */
export function PanelEdge({ name, label, layout }: Props) {
  const { min, max } = panelBounds[name];
  // The types are at the left, so they grow to the right; the panel grows to the left.
  const sign = name === 'types' ? 1 : -1;

  function follow(event: PointerEvent<HTMLElement>) {
    event.preventDefault();
    const edge = event.currentTarget;
    const start = event.clientX;
    const width = edge.parentElement!.getBoundingClientRect().width;
    edge.setPointerCapture(event.pointerId);
    const move = (moved: globalThis.PointerEvent) => layout.setWidth(name, width + sign * (moved.clientX - start));
    const end = () => {
      for (const type of ['pointerup', 'pointercancel'] as const) edge.removeEventListener(type, end);
      edge.removeEventListener('pointermove', move);
    };
    edge.addEventListener('pointermove', move);
    for (const type of ['pointerup', 'pointercancel'] as const) edge.addEventListener(type, end);
  }
  function handleKeyDown(event: KeyboardEvent<HTMLElement>) {
    const width = event.currentTarget.parentElement!.getBoundingClientRect().width;
    const next = { ArrowLeft: width - sign * widthStep, ArrowRight: width + sign * widthStep, Home: min, End: max }[event.key];
    if (next === undefined && event.key !== 'Delete') return;
    event.preventDefault();
    event.stopPropagation();
    layout.setWidth(name, next ?? null);
  }
  return (
    <div
      className={`panel-edge edge-of-${name}`}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      tabIndex={0}
      aria-valuenow={layout.widthOf(name)}
      aria-valuemin={min}
      aria-valuemax={max}
      title="Drag to change the width; double click restores it"
      onPointerDown={follow}
      onDoubleClick={() => layout.setWidth(name, null)}
      onKeyDown={handleKeyDown}
    />
  );
}
