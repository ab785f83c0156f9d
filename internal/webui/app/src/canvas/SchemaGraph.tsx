import { useComputedColorScheme } from '@mantine/core';
import type { Core } from 'cytoscape';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { Schema } from '../api/graph';
import { explorePath } from '../explore/url';
import { appearanceOf, edgeAppearanceOf, shapeOf, useAppearanceVersion } from '../explore/appearance';
import { canvasShape } from '../explore/shapes';
import { formatCount, escapeInvisible } from '../values/text';
import { iconImage } from './icons';
import { colourOn } from './valueStyle';
import { applyStyle, createCanvas, fitView } from './drawing';
import { countCaptions } from './captions';
import { runLayout } from './layout';

function lineOf(type: string, dark: boolean) {
  const { colour } = edgeAppearanceOf(type);
  return colour ? { colour: colourOn(colour, dark) } : {};
}

const curve = 40; // the distance of an edge from the next one, in pixels of the unzoomed canvas

/** Moves the nodes apart until every caption has room, or as far as it gives room to more of them. */
function spreadForCaptions(cy: Core) {
  const places = cy.nodes().map((node) => ({ node, ...node.position() }));
  const spreadBy = (factor: number) => {
    cy.batch(() => {
      places.forEach(({ node, x, y }) => node.position({ x: x * factor, y: y * factor }));
      cy.edges().style('control-point-step-size', curve * factor); // of edges between the same nodes, and of loops
    });
    fitView(cy, false);
    return countCaptions(cy);
  };
  let [best, most] = [1, 0];
  for (const factor of [1, 1.4, 2, 2.8, 4]) {
    const count = spreadBy(factor);
    if (count > most) [best, most] = [factor, count];
    if (count === cy.elements().length) return;
  }
  spreadBy(best);
}

/** An edge type between two types of nodes. */
export interface PickedEdge {
  type: string;
  source: string;
  target: string;
}

interface Props {
  schema: Schema;
  /** What a click on a type does; by default its list is opened. */
  onPickNode?: (type: string) => void;
  onPickEdge?: (edge: PickedEdge) => void;
}

/** The node types and the edge types between them. What is beside it shows the same for screen readers. */
export default function SchemaGraph({ schema, onPickNode, onPickEdge }: Props) {
  const stage = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const appearance = useAppearanceVersion();
  const picked = useRef({ onPickNode, onPickEdge });
  picked.current = { onPickNode, onPickEdge };

  useEffect(() => {
    if (!stage.current) return;
    const cy = createCanvas(stage.current, dark);
    const maxCount = Math.max(...schema.node_types.map((t) => t.count ?? 0), 1);
    const types = new Set(schema.node_types.map((t) => t.type));
    cy.add(
      schema.node_types.map((t) => ({
        group: 'nodes' as const,
        data: {
          id: t.type,
          image: iconImage(appearanceOf(t.type).icon, colourOn(appearanceOf(t.type).colour, dark)),
          label: `${escapeInvisible(t.type)}${t.count === null ? '' : ` (${formatCount(t.count)})`}`,
          colour: colourOn(appearanceOf(t.type).colour, dark),
          ...canvasShape(shapeOf(t.type)),
          size: 36 + 44 * Math.sqrt((t.count ?? 0) / maxCount),
        },
      })),
    );
    cy.add(
      schema.edge_types.flatMap((t) =>
        t.connections
          .filter((c) => c.source_type !== null && c.target_type !== null && types.has(c.source_type) && types.has(c.target_type))
          .map((c) => ({
            group: 'edges' as const,
            data: {
              source: c.source_type!,
              target: c.target_type!,
              type: t.type,
              label: `${escapeInvisible(t.type)} (${formatCount(c.count)})`,
              ...lineOf(t.type, dark),
            },
          })),
      ),
    );
    runLayout(cy, 'all');
    spreadForCaptions(cy);
    cy.on('tap', 'node', (event) => {
      const type = (event.target as { id: () => string }).id();
      if (picked.current.onPickNode) picked.current.onPickNode(type);
      else void navigate(explorePath({ kind: 'node', type }));
    });
    cy.on('tap', 'edge', (event) => {
      const { type, source, target } = (event.target as { data: () => PickedEdge }).data();
      if (picked.current.onPickEdge) picked.current.onPickEdge({ type, source, target });
      else void navigate(explorePath({ kind: 'edge', type }));
    });
    applyStyle(cy, dark);
    return () => cy.destroy();
  }, [schema, dark, appearance, navigate]);

  return (
    <div className="canvas-wrap">
      <div className="canvas-stage">
        <div className="canvas" ref={stage} role="img" aria-label="The types as a graph; what is beside it shows the same" />
      </div>
    </div>
  );
}
