import { Button, Text } from '@mantine/core';
import {
  Expand,
  EyeOff,
  Group as GroupIcon,
  ListFilter,
  Minimize2,
  Pin,
  PinOff,
  Plus,
  Route,
  Spline,
  SquareDashed,
  Ungroup,
  type LucideIcon,
} from 'lucide-react';
import type { GraphNode, Schema } from '../api/graph';
import { useEditPermissions } from '../changesets/proposal';
import { CompareButton } from '../compare/CompareButton';
import { formatCount } from '../values/text';
import type { CanvasActions } from './actions';
import { labelOf } from './drawing';
import { ExpandManyMenu } from './ExpandManyMenu';
import { ExpandMenu } from './ExpandMenu';
import { expansionLimit } from './expansion';
import { groupsOf, isMark, markTitle, type Mark } from './groups';
import type { Item } from './ItemList';
import { SearchPopover } from './SearchPopover';
import type { useCanvas } from './useCanvas';
import type { Graph } from './useGraph';
import type { useSteps } from './useSteps';

/** How many neighbors of a mark one click adds. */
const portions = [expansionLimit, 100];

interface Props {
  graph: Graph;
  /** The ids of the selected nodes and marks, in the order of selection. */
  selected: string[];
  canvas: ReturnType<typeof useCanvas>;
  steps: ReturnType<typeof useSteps>;
  expanding: boolean;
  onExpanding: (expanding: boolean) => void;
  /** Whether the search for the other end of a path is open. */
  pathing: boolean;
  onPathing: (pathing: boolean) => void;
  items: Item[];
  schema: Schema;
  actions: CanvasActions;
  onCreateEdge: (ends: [string, string]) => void;
}

/** The operations on the selected nodes, or on a mark. */
export function SelectionTools(props: Props) {
  const { graph, selected, canvas, steps, onExpanding } = props;
  const nodes = selected.filter((id) => !isMark(id));
  const mark = selected.length === 1 ? graph.drawing.marks.find(({ id }) => id === selected[0]) : undefined;
  const node = selected.length === 1 ? graph.nodes.find((n) => n.id === nodes[0]) : undefined;
  if (mark) {
    const expandHub = () => {
      canvas.select(mark.hub, false);
      onExpanding(true);
    };
    return <MarkTools mark={mark} steps={steps} onExpandHub={expandHub} />;
  }
  if (node) return <NodeTools {...props} node={node} />;
  if (selected.length > 1) {
    const chosen = new Set(nodes);
    return <ManyTools {...props} nodes={graph.nodes.filter(({ id }) => chosen.has(id))} ids={nodes} />;
  }
  return (
    <Text size="sm" c="dimmed" truncate className="canvas-name">
      Select a node to expand it; drag with Shift to select several.
    </Text>
  );
}

function NodeTools({
  node,
  graph,
  canvas,
  steps,
  expanding,
  onExpanding,
  pathing,
  onPathing,
  items,
  actions,
}: Props & { node: GraphNode }) {
  const pinned = canvas.isPinned(node.id);
  return (
    <>
      <Name text={labelOf(node)} />
      <ExpandMenu
        key={node.id}
        id={node.id}
        opened={expanding}
        onOpened={onExpanding}
        onExpand={(direction, type) => steps.expand(node.id, direction, type)}
      />
      {steps.isExpanded(node.id) && <Tool label="Collapse" Icon={Minimize2} onClick={() => steps.collapse(node.id)} />}
      {groupsOf(graph.drawing, node.id).length > 0 && <Tool label="Group" Icon={GroupIcon} onClick={() => actions.groupNode(node.id)} />}
      <SearchPopover
        label="Path to…"
        Icon={Route}
        search="Shortest path to"
        items={items.filter(({ id }) => id !== node.id && !isMark(id))}
        opened={pathing}
        onOpened={onPathing}
        onChoose={(id) => void steps.addPath(node.id, id)}
      />
      <Tool label={pinned ? 'Unpin' : 'Pin'} Icon={pinned ? PinOff : Pin} onClick={() => actions.pin([node.id])} />
      <Tool label="Hide" Icon={EyeOff} onClick={() => actions.hide([node.id])} />
    </>
  );
}

function ManyTools({
  nodes,
  ids,
  selected,
  schema,
  steps,
  expanding,
  onExpanding,
  actions,
  onCreateEdge,
}: Props & { nodes: GraphNode[]; ids: string[] }) {
  const may = useEditPermissions();
  const [first, second] = ids as [string, string];
  return (
    <>
      <Name text={`${formatCount(ids.length)} nodes selected`} />
      {nodes.length > 0 && (
        <ExpandManyMenu
          nodes={nodes}
          schema={schema}
          opened={expanding}
          onOpened={onExpanding}
          onExpand={(direction, type) => actions.expandMany(ids, direction, type)}
        />
      )}
      {ids.length === 2 && <Tool label="Shortest path" Icon={Route} onClick={() => void steps.addPath(first, second)} />}
      {ids.length === 2 && may.edge.create && <Tool label="Create an edge" Icon={Spline} onClick={() => onCreateEdge([first, second])} />}
      {ids.length === 2 && <CompareButton kind="node" ids={[first, second]} size="compact-sm" />}
      <Tool label="Pin" Icon={Pin} onClick={() => actions.pin(selected)} />
      {ids.length > 0 && <Tool label="Hide" Icon={EyeOff} onClick={() => actions.hide(selected)} />}
      {ids.length > 0 && <Tool label="Keep only" Icon={ListFilter} onClick={() => actions.keep(selected)} />}
      <Tool label="Invert" Icon={SquareDashed} onClick={() => actions.invert(selected)} />
    </>
  );
}

function MarkTools({ mark, steps, onExpandHub }: { mark: Mark; steps: Props['steps']; onExpandHub: () => void }) {
  return (
    <>
      <Name text={markTitle(mark)} />
      {mark.combined > 0 ? (
        <Tool label="Expand…" Icon={Expand} onClick={onExpandHub} />
      ) : mark.nodes.length > 0 ? (
        <Tool label="Ungroup" Icon={Ungroup} onClick={() => steps.ungroup(mark)} />
      ) : (
        portions
          .filter((_, index) => index === 0 || portions[index - 1]! < mark.rest)
          .map((portion) => {
            const more = Math.min(portion, mark.rest);
            return <Tool key={portion} label={`Show ${formatCount(more)} more`} Icon={Plus} onClick={() => steps.expandMark(mark, more)} />;
          })
      )}
    </>
  );
}

/** Takes a group apart, or adds a portion of the neighbors that a mark stands for. */
export function openMark(mark: Mark, steps: Props['steps']) {
  if (mark.nodes.length > 0) steps.ungroup(mark);
  else steps.expandMark(mark, Math.min(expansionLimit, mark.rest));
}

function Name({ text }: { text: string }) {
  return (
    <Text size="sm" fw={600} truncate className="canvas-name">
      {text}
    </Text>
  );
}

function Tool({ label, Icon, onClick }: { label: string; Icon: LucideIcon; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="default" leftSection={<Icon size={14} />} onClick={onClick} title={label}>
      {label}
    </Button>
  );
}
