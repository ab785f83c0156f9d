import { formatCount } from '../values/text';
import type { Operator } from './queries';

/** What the database would do, as a tree: an operator reads the rows of those below it. */
export function PlanTree({ plan, rows }: { plan: Operator; rows: number | null }) {
  return (
    <div className="plan" tabIndex={0} role="region" aria-label="Plan">
      {rows !== null && <p className="change-note">The last run returned {formatCount(rows)} rows.</p>}
      {plan.estimated_rows === undefined && (
        <p className="change-note">Estimated rows are left out: those of this plan would count data of the service itself.</p>
      )}
      <ul>
        <PlanItem operator={plan} />
      </ul>
    </div>
  );
}

const rowsText = (rows: number) => formatCount(rows < 10 ? Math.round(rows * 10) / 10 : Math.round(rows));

function PlanItem({ operator: { operator, details, estimated_rows: estimated, children = [] } }: { operator: Operator }) {
  return (
    <li>
      <span className="plan-operator">{operator}</span>
      {estimated !== undefined && <span className="plan-rows">about {rowsText(estimated)} rows</span>}
      {details && <span className="plan-details mono">{details}</span>}
      {children.length > 0 && (
        <ul>
          {children.map((child, index) => (
            <PlanItem key={index} operator={child} />
          ))}
        </ul>
      )}
    </li>
  );
}
