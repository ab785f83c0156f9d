import { Link } from 'react-router';
import { causeText } from './change';
import type { Change } from './history';

/** Where a change came from; a link to its change set if that was applied. */
export function CauseText({ change, text = causeText(change) }: { change: Change; text?: string }) {
  const changeSet = change.cause?.changeset;
  if (!changeSet) return <>{text}</>;
  return (
    <Link className="linkbutton" style={{ textDecoration: 'underline' }} to={`/change-sets/${encodeURIComponent(changeSet)}`}>
      {text}
    </Link>
  );
}
