import { useRateLimit } from '../api/rate';
import { formatClock, formatCount, pluralize } from '../values/text';

// Below this share of the limit the bar appears, in time to plan what is left.
const warningShare = 0.1;

/** Reports that few requests are left, before the service refuses them. */
export function BudgetBar() {
  const rate = useRateLimit();
  if (!rate || rate.limit <= 0 || rate.remaining > rate.limit * warningShare) return null;
  return (
    <div className="budget-bar" role="status">
      {rate.remaining > 0
        ? `${pluralize(rate.remaining, 'request')} of ${formatCount(rate.limit)} left`
        : `All ${formatCount(rate.limit)} requests are used`}{' '}
      until {formatClock(rate.resetsAt)}. Administrators can raise the limit.
    </div>
  );
}
