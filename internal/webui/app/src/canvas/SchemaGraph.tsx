import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { Schema } from '../api/graph';
import { explorePath } from '../explore/address';
import { look } from '../explore/appearance';
import { count, visible } from '../values/text';
import { arrange, createCanvas, fit, paint } from './drawing';

/** Types and how they are joined. The tables say the same to those who cannot see it. */
export default function SchemaGraph({ schema }: { schema: Schema }) {
  const stage = useRef<HTMLDivElement>(null);
  const go = useNavigate();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';

  useEffect(() => {
    if (!stage.current) return;
    const cy = createCanvas(stage.current, dark);
    const most = Math.max(...schema.node_types.map((t) => t.count), 1);
    const types = new Set(schema.node_types.map((t) => t.type));
    cy.add(
      schema.node_types.map((t) => ({
        group: 'nodes' as const,
        data: { id: t.type, label: `${visible(t.type)} (${count(t.count)})`, colour: look(t.type).colour, size: 36 + 44 * Math.sqrt(t.count / most) },
      })),
    );
    cy.add(
      schema.edge_types.flatMap((t) =>
        t.connections
          .filter((c) => c.source_type !== null && c.target_type !== null && types.has(c.source_type) && types.has(c.target_type))
          .map((c) => ({ group: 'edges' as const, data: { source: c.source_type!, target: c.target_type!, type: t.type, label: `${visible(t.type)} (${count(c.count)})` } })),
      ),
    );
    arrange(cy, 'all');
    fit(cy, false);
    cy.on('tap', 'node', (event) => void go(explorePath({ kind: 'node', type: (event.target as { id: () => string }).id() })));
    cy.on('tap', 'edge', (event) => void go(explorePath({ kind: 'edge', type: String((event.target as { data: (k: string) => unknown }).data('type')) })));
    paint(cy, dark);
    return () => cy.destroy();
  }, [schema, dark, go]);

  return (
    <div className="canvas-wrap">
      <div className="canvas-stage">
        <div className="canvas" ref={stage} role="img" aria-label="The types as a graph; the tables hold the same" />
      </div>
    </div>
  );
}
