import { Button, Tooltip } from '@mantine/core';
import { Waypoints } from 'lucide-react';
import { useNavigate } from 'react-router';
import { canvasPath } from './openCanvas';
import type { Addition } from './steps';

/** Adds to the canvas that was shown last, or begins one. */
export function AddToCanvas({ addition, size = 'xs' }: { addition: () => Addition; size?: 'xs' | 'compact-xs' }) {
  const navigate = useNavigate();
  return (
    <Tooltip label="Add to the canvas that was shown last, or begin one">
      <Button variant="default" size={size} leftSection={<Waypoints size={14} />} onClick={() => void navigate(canvasPath(addition()))}>
        Add to canvas
      </Button>
    </Tooltip>
  );
}
