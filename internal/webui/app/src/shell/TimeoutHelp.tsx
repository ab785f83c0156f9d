import { Link } from 'react-router';
import type { Problem } from '../api/problem';
import { newIndexPath, timeoutCauses, type SuggestedIndex } from '../api/timeout';
import { usePermissions } from '../session/session';
import { escapeInvisible } from '../values/text';

/** The causes of a timeout, each with its remedy. */
export function TimeoutHelp({ problem }: { problem: Problem }) {
  return (
    <ul className="causes">
      {timeoutCauses(problem).map((cause) => (
        <li key={cause.label + cause.message}>
          <strong>{escapeInvisible(cause.label)}:</strong> {escapeInvisible(cause.message)}.{' '}
          {cause.index && <IndexRemedy index={cause.index} />}
        </li>
      ))}
    </ul>
  );
}

function IndexRemedy({ index }: { index: SuggestedIndex }) {
  const may = usePermissions();
  const target = escapeInvisible(`${index.type}.${index.property}`);
  if (!may.admin) return <>Ask an administrator for an index on {target}.</>;
  return (
    <Link to={newIndexPath(index)} className="linkbutton" aria-label={`Create index on ${target}`}>
      Create index
    </Link>
  );
}
