import { useSearchParams } from 'react-router';
import { escapeInvisible } from '../values/text';
import { unknownFilters } from './filters';

/** Says which filters of the link were left out, so that nobody takes all rows for the filtered ones. */
export function UnknownFilters() {
  const [params] = useSearchParams();
  const unknown = unknownFilters(params);
  if (unknown.length === 0) return null;
  return (
    <div className="budget-bar" role="alert">
      The link has filters that this page does not know; the rows are not filtered by {escapeInvisible(unknown.join(', '))}
    </div>
  );
}
