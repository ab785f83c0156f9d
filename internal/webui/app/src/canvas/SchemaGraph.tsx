import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { Schema } from '../api/graph';
import { explorePath } from '../explore/url';
import { appearanceOf, edgeAppearanceOf, shapeOf, useAppearanceVersion } from '../explore/appearance';
import { canvasShape } from '../explore/shapes';
import { formatCount, escapeInvisible } from '../values/text';
import { colourOn } from './valueStyle';
import { applyStyle, createCanvas, fitView } from './drawing';
import { runLayout } from './layout';

function lineOf(type: string, dark: boolean) {
  const { colour } = edgeAppearanceOf(type);
  return colour ? { colour: colourOn(colour, dark) } : {};
}

/** The node types and the edge types between them. The tables show the same for screen readers. */
export default function SchemaGraph({ schema }: { schema: Schema }) {
  const stage = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const appearance = useAppearanceVersion();

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
    fitView(cy, false);
    cy.on('tap', 'node', (event) => void navigate(explorePath({ kind: 'node', type: (event.target as { id: () => string }).id() })));
    cy.on(
      'tap',
      'edge',
      (event) =>
        void navigate(explorePath({ kind: 'edge', type: String((event.target as { data: (k: string) => unknown }).data('type')) })),
    );
    applyStyle(cy, dark);
    return () => cy.destroy();
  }, [schema, dark, appearance, navigate]);

  return (
    <div className="canvas-wrap">
      <div className="canvas-stage">
        <div className="canvas" ref={stage} role="img" aria-label="The types as a graph; the tables show the same" />
      </div>
    </div>
  );
}
