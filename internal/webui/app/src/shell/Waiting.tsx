import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { notify } from './notify';

/** The age in milliseconds from which a request shows its elapsed time and can be cancelled. */
export const slowAfter = 1000;

/** The full seconds since the component was mounted. */
function useElapsedSeconds(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const start = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - start) / 1000)), slowAfter);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}

interface Props {
  subject: string;
  /** Aborts the request; the gateway then ends its statement in the database. None where another button of the page does. */
  onCancel?: () => void;
}

/** Shown while a request runs: after a second its elapsed time and a button to cancel it. Mount it for each request. */
export function Waiting({ subject, onCancel }: Props) {
  const seconds = useElapsedSeconds();
  if (seconds === 0) return null;
  return (
    <span className="waiting" data-testid="waiting">
      {/* A screen reader announces the text once, not every second. */}
      <span role="status">Loading {subject}…</span>
      <span aria-hidden>{seconds} s</span>
      {onCancel && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Cancel loading ${subject}`}
          onClick={() => {
            onCancel();
            notify('Canceled');
          }}
        >
          Cancel
        </Button>
      )}
    </span>
  );
}
