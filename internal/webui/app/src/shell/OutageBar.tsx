import { Button } from '@mantine/core';
import { checkReady, useOutage } from '../api/outage';
import { formatClock } from '../values/text';

/** Reports that the service or its database is unavailable. The page keeps what it shows, and what was entered. */
export function OutageBar() {
  const outage = useOutage();
  if (!outage) return null;
  return (
    <div className="budget-bar outage-bar" role="status">
      <span>
        {outage.part === 'service' ? 'The service has been unreachable' : 'The database has been unavailable'} since{' '}
        {formatClock(outage.since)}. What is shown may be out of date, and what you have entered is kept. It is tried again automatically.
      </span>
      <Button size="compact-xs" variant="default" onClick={() => void checkReady()}>
        Try again now
      </Button>
    </div>
  );
}
