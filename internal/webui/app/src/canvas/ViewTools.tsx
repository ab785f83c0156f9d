import { ActionIcon, Tooltip } from '@mantine/core';
import { Lasso as LassoIcon, Maximize, Presentation, RefreshCw, ZoomIn, ZoomOut, type LucideIcon } from 'lucide-react';

interface Props {
  onZoom: (factor: number) => void;
  onFit: () => void;
  onLayout: () => void;
  onPresent: () => void;
  /** Whether the lasso is on. */
  lasso: boolean;
  onLasso: () => void;
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
      {tool('Re-run layout', RefreshCw, onLayout)}
      {tool('Full screen', Presentation, onPresent)}
    </div>
  );
}
