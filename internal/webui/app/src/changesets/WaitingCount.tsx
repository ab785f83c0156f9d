import type { Me } from '../session/session';
import { pluralize } from '../values/text';
import { useWaitingChangeSets } from './waiting';

/** How many change sets wait for the user, beside the name of their page; nothing if none does. */
export function WaitingCount({ me }: { me: Me }) {
  const { waiting, partial } = useWaitingChangeSets(me, true);
  if (waiting.length === 0) return null;
  return (
    <span
      className="tab-count"
      role="img"
      aria-label={`${partial ? 'At least ' : ''}${pluralize(waiting.length, 'waits', 'wait')} for you`}
    >
      {waiting.length}
      {partial && '+'}
    </span>
  );
}
