import { Button, Menu } from '@mantine/core';
import type { Core } from 'cytoscape';
import { Download } from 'lucide-react';
import type { RefObject } from 'react';
import { notifyProblem } from '../shell/notify';
import { saveEdgesCsv, saveJson, saveNodesCsv, savePng, saveSvg } from './exports';
import { imageColours, legendEntries } from './legendImage';
import type { Graph } from './useGraph';
import type { Scales } from './valueStyle';

interface Props {
  graph: Graph;
  instance: RefObject<Core | null>;
  scales: Scales;
  dark: boolean;
}

/** Saves the canvas as an image with its legend, or its content as data, grouped nodes included. */
export function ExportMenu({ graph, instance, scales, dark }: Props) {
  const failed = (error: unknown) => notifyProblem(error, 'Export failed');
  const colours = imageColours(dark);
  const legend = () => legendEntries(graph, scales, dark);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-sm" variant="default" leftSection={<Download size={14} />} title="Export">
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => instance.current && savePng(instance.current, colours, legend()).catch(failed)}>Image (PNG)</Menu.Item>
        <Menu.Item onClick={() => instance.current && saveSvg(instance.current, colours, legend())}>Image (SVG)</Menu.Item>
        <Menu.Item onClick={() => void saveNodesCsv(graph).catch(failed)}>Nodes (CSV)</Menu.Item>
        <Menu.Item onClick={() => void saveEdgesCsv(graph).catch(failed)}>Edges (CSV)</Menu.Item>
        <Menu.Item onClick={() => void saveJson(graph).catch(failed)}>Nodes and edges (JSON)</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
