import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { Lasso as LassoIcon, Maximize, Presentation, Network, RefreshCw, ZoomIn, ZoomOut, type LucideIcon } from 'lucide-react';
import type { LayoutKind } from './useCanvas';

interface Props {
  onZoom: (factor: number) => void;
  onFit: () => void;
  /** Runs the layout that ran last again, or another one. */
  onLayout: (kind?: LayoutKind) => void;
  onPresent: () => void;
  /** Whether the lasso is on. */
  lasso: boolean;
  onLasso: () => void;
}

const layouts: { kind: LayoutKind; label: string; hint: string }[] = [
  { kind: 'force', label: 'Force', hint: 'connected nodes near each other' },
  { kind: 'hierarchical', label: 'Hierarchical', hint: 'from top to bottom along the edges, from the selection if there is one' },
  { kind: 'radial', label: 'Radial', hint: 'around the selection, or the node with the most edges' },
];

function LayoutMenu({ onLayout }: Pick<Props, 'onLayout'>) {
  return (
    <Menu position="left-end" width={260}>
      <Tooltip label="Choose a layout" position="left">
        <Menu.Target>
          <ActionIcon aria-label="Choose a layout" variant="subtle">
            <Network size={17} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        {layouts.map(({ kind, label, hint }) => (
          <Menu.Item key={kind} onClick={() => onLayout(kind)}>
            {label}
            <small style={{ display: 'block', color: 'var(--muted)' }}>{hint}</small>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The tools at the edge of the canvas. */
export function ViewTools({ onZoom, onFit, onLayout, onPresent, lasso, onLasso }: Props) {
  const tool = (label: string, Icon: LucideIcon, onClick: () => void, pressed?: boolean) => (
    <Tooltip label={label} position="left">
      <ActionIcon aria-label={label} aria-pressed={pressed} variant={pressed ? 'filled' : 'subtle'} onClick={onClick}>
        <Icon size={17} />
      </ActionIcon>
    </Tooltip>
  );
  return (
    <div className="canvas-tools">
      {tool('Select with a lasso', LassoIcon, onLasso, lasso)}
      {tool('Zoom in', ZoomIn, () => onZoom(1.3))}
      {tool('Zoom out', ZoomOut, () => onZoom(1 / 1.3))}
      {tool('Fit to view', Maximize, onFit)}
      {tool('Re-run layout', RefreshCw, () => onLayout())}
      <LayoutMenu onLayout={onLayout} />
      {tool('Full screen', Presentation, onPresent)}
    </div>
  );
}
