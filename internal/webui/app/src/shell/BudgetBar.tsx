import { useRateLimit } from '../api/rate';
import { formatCount, pluralize } from '../values/text';

// Below this share of the limit the bar appears, in time to plan what is left.
const warningShare = 0.1;

const timeFormat = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short' });

/** Reports that few requests are left, before the service refuses them. */
export function BudgetBar() {
  const rate = useRateLimit();
  if (!rate || rate.limit <= 0 || rate.remaining > rate.limit * warningShare) return null;
  return (
    <div className="budget-bar" role="status">
      {rate.remaining > 0
        ? `${pluralize(rate.remaining, 'request')} of ${formatCount(rate.limit)} left`
        : `All ${formatCount(rate.limit)} requests are used`}{' '}
      until {timeFormat.format(rate.resetsAt)}. Administrators can raise the limit.
    </div>
  );
}
