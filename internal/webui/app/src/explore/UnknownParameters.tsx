import { useSearchParams } from 'react-router';
import { escapeInvisible } from '../values/text';
import { unknownFilters } from './filters';
import { unknownParameters } from './url';

/** Says which parts of the link were left out, so that nobody takes what is shown for what the link means. */
export function UnknownParameters() {
  const [params] = useSearchParams();
  const filters = unknownFilters(params);
  const others = unknownParameters(params);
  return (
    <>
      {others.length > 0 && (
        <div className="budget-bar" role="alert">
          The link has values that this page does not know; they are left out: {escapeInvisible(others.join(', '))}
        </div>
      )}
      {filters.length > 0 && (
        <div className="budget-bar" role="alert">
          The link has filters that this page does not know; the rows are not filtered by {escapeInvisible(filters.join(', '))}
        </div>
      )}
    </>
  );
}
