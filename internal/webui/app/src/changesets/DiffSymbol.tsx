import { diffStatuses } from './diff';
import type { DiffStatus } from './changesets';

const byStatus = new Map(diffStatuses.map((entry) => [entry.status, entry]));

/** What happens to an entity: a symbol and its label, the same in the table, in the graph and in its legend. */
export function DiffSymbol({ status }: { status: DiffStatus }) {
  const { symbol, label } = byStatus.get(status)!;
  return (
    <span className="diff-status" data-status={status}>
      <span className="diff-symbol" aria-hidden>
        {symbol}
      </span>
      {label}
    </span>
  );
}
