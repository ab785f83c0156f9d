// The name, the type and some properties of what the pointer is on.
import type { Core, EventObject, SingularElementReturnValue } from 'cytoscape';
import { useEffect, useState } from 'react';
import type { GraphEdge, GraphNode } from '../api/graph';
import { cellText, escapeInvisible, sortedNames } from '../values/text';
import { labelOf } from './drawing';
import type { Graph } from './useGraph';

interface Hovered {
  id: string;
  x: number;
  y: number;
}

/** How many properties are shown if none are chosen. */
const firstProperties = 4;

export function CanvasTooltip({ core, graph, properties }: { core: Core; graph: Graph; properties: string[] | undefined }) {
  const [hovered, setHovered] = useState<Hovered | null>(null);
  useEffect(() => {
    const show = (event: EventObject) => {
      const target = event.target as SingularElementReturnValue;
      setHovered({ id: target.id(), ...event.renderedPosition });
    };
    const hide = () => setHovered(null);
    core.on('mouseover', 'node, edge', show);
    core.on('mouseout', 'node, edge', hide);
    core.on('pan zoom grab cxttap remove', hide);
    return () => {
      core.off('mouseover', 'node, edge', show);
      core.off('mouseout', 'node, edge', hide);
      core.off('pan zoom grab cxttap remove', hide);
    };
  }, [core]);
  if (!hovered) return null;
  const node = graph.drawing.nodes.find(({ id }) => id === hovered.id);
  const edge = graph.drawing.edges.find(({ id }) => `edge ${id}` === hovered.id);
  const element = node ?? edge;
  if (!element) return null;
  const right = hovered.x > core.width() / 2;
  const below = hovered.y > core.height() / 2;
  return (
    <div
      className="canvas-tooltip"
      role="tooltip"
      style={{
        ...(right ? { right: core.width() - hovered.x + 14 } : { left: hovered.x + 14 }),
        ...(below ? { bottom: core.height() - hovered.y + 10 } : { top: hovered.y + 10 }),
      }}
    >
      {node && <strong>{labelOf(node)}</strong>}
      <span className="canvas-tooltip-type">{element.type === null ? 'no label' : escapeInvisible(element.type)}</span>
      <TooltipProperties element={element} properties={properties} />
    </div>
  );
}

function TooltipProperties({ element, properties }: { element: GraphNode | GraphEdge; properties: string[] | undefined }) {
  if ('partial' in element && element.partial) return <span>Its properties are not loaded.</span>;
  const own = element.properties;
  const names = properties ? properties.filter((name) => Object.hasOwn(own, name)) : sortedNames(own).slice(0, firstProperties);
  return names.map((name) => (
    <span key={name}>
      {escapeInvisible(name)}: {escapeInvisible(cellText(own[name]!).slice(0, 120))}
    </span>
  ));
}
