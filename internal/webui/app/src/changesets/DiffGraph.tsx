// The diff as a graph. This file and Cytoscape are loaded when it is first shown.
import { useComputedColorScheme } from '@mantine/core';
import type { Core, StylesheetStyle } from 'cytoscape';
import { useEffect, useMemo, useRef, useState } from 'react';
import { applyStyle, createCanvas, fitView } from '../canvas/drawing';
import { runLayout } from '../canvas/layout';
import { formatCount } from '../values/text';
import type { DiffEntity, DiffStatus } from './changesets';
import { diffGraph, diffStatuses, entityKey, isMissing, type DiffItem } from './diff';
import { DiffCard } from './DiffTable';

// More cannot be distinguished.
const maxElements = 500;

interface StatusStyle {
  colour: string;
  darkColour: string;
  line: 'solid' | 'dashed' | 'dotted';
}

const statusStyles: Record<DiffStatus, StatusStyle> = {
  added: { colour: '#2f7d32', darkColour: '#4fa653', line: 'solid' },
  changed: { colour: '#b4540a', darkColour: '#d68a2e', line: 'dashed' },
  removed: { colour: '#a33a2c', darkColour: '#d9695b', line: 'dotted' },
  unchanged: { colour: '#5c6670', darkColour: '#87929b', line: 'solid' },
};

/** A white symbol as an image on a node. */
function symbolImage(symbol: string): string {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">' +
    '<text x="20" y="29" font-family="system-ui, sans-serif" font-size="28" font-weight="700" text-anchor="middle" fill="#fff">' +
    `${symbol}</text></svg>`;
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}

function diffStyle(dark: boolean): StylesheetStyle[] {
  const context: StylesheetStyle[] = [
    {
      selector: '.context',
      style: {
        'background-color': dark ? '#3d464c' : '#c4ccd1',
        'border-width': 1,
        'border-color': dark ? '#87929b' : '#7b868d',
        width: 26,
        height: 26,
      },
    },
  ];
  return [
    ...context,
    ...diffStatuses.flatMap(({ status, symbol }): StylesheetStyle[] => {
      const { colour, darkColour, line } = statusStyles[status];
      const shown = dark ? darkColour : colour;
      return [
        {
          selector: `node.${status}`,
          style: {
            'background-color': colour,
            'background-image': symbolImage(symbol),
            'background-fit': 'contain',
            'border-width': 3,
            'border-color': shown,
            'border-style': line,
            'border-position': 'outside',
            'outline-width': 0,
          } as never,
        },
        {
          selector: `edge.${status}`,
          style: {
            width: status === 'unchanged' ? 1.6 : 3,
            'line-color': shown,
            'target-arrow-color': shown,
            'line-style': line,
            color: shown,
          },
        },
      ];
    }),
  ];
}

function setStyle(cy: Core, dark: boolean) {
  applyStyle(cy, dark);
  const style = cy.style() as unknown as { selector: (selector: string) => { style: (style: object) => void }; update: () => void };
  for (const { selector, style: rule } of diffStyle(dark)) style.selector(selector).style(rule);
  style.update();
}

const symbolOf = (status: DiffStatus) => diffStatuses.find((entry) => entry.status === status)!.symbol;

export default function DiffGraph({ entities, items, names }: { entities: DiffEntity[]; items: DiffItem[]; names: Map<string, string> }) {
  const stage = useRef<HTMLDivElement>(null);
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const graph = useMemo(() => diffGraph(entities, names, maxElements), [entities, names]);
  const [selected, setSelected] = useState('');

  useEffect(() => {
    if (!stage.current) return;
    const cy = createCanvas(stage.current, dark, setStyle);
    cy.add(
      graph.nodes.map(({ key, status, name }) => ({
        group: 'nodes' as const,
        classes: status,
        data: { id: key, label: status === 'context' ? name : `${symbolOf(status)} ${name}`, colour: '#6b747a', size: 40 },
      })),
    );
    cy.add(
      graph.edges.map(({ key, source, target, status, name }) => ({
        group: 'edges' as const,
        classes: status,
        data: { id: key, source, target, label: `${symbolOf(status)} ${name}` },
      })),
    );
    setStyle(cy, dark);
    runLayout(cy, 'all');
    fitView(cy, false);
    cy.on('tap', 'node, edge', (event) => setSelected((event.target as { id: () => string }).id()));
    return () => cy.destroy();
  }, [graph, dark]);

  const item = items.find(
    ({ entity, deletedEdges }) => entityKey(entity) === selected || deletedEdges.some((edge) => entityKey(edge) === selected),
  );
  return (
    <>
      <DiffLegend entities={entities} context={graph.nodes.filter((node) => node.status === 'context').length} />
      <div className="card diff-graph">
        <div className="canvas-stage">
          <div className="canvas" ref={stage} role="img" aria-label="The difference as a graph; the table shows the same" />
        </div>
      </div>
      {graph.omitted > 0 && (
        <p className="change-note">
          {formatCount(graph.omitted)} more are not shown: the graph shows about {formatCount(maxElements)} nodes and edges. The table shows
          all.
        </p>
      )}
      {item ? <DiffCard item={item} names={names} /> : <p className="change-note">Select a node or an edge to see its values.</p>}
    </>
  );
}

function DiffLegend({ entities, context }: { entities: DiffEntity[]; context: number }) {
  return (
    <section className="diff-legend" aria-label="Legend">
      {diffStatuses.map(({ status, symbol, label }) => {
        const n = entities.filter((entity) => entity.status === status && !isMissing(entity)).length;
        if (n === 0) return null;
        return (
          <span key={status}>
            <span className="diff-symbol" data-status={status} aria-hidden>
              {symbol}
            </span>
            <span className="diff-line" data-status={status} aria-hidden />
            <span>{label}</span>
            <span className="type-count">{formatCount(n)}</span>
          </span>
        );
      })}
      {context > 0 && (
        <span>
          <span className="diff-symbol" data-status="context" aria-hidden />
          <span>Not in the change set</span>
          <span className="type-count">{formatCount(context)}</span>
        </span>
      )}
    </section>
  );
}
