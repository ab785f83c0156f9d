import { escapeInvisible, shortId } from '../values/text';
import { valueChanges } from './change';
import type { Change } from './history';
import { ValueCell, ValueTable } from './ValueTable';

// A created or deleted entity with more properties is shown on request.
const shownValues = 8;

/** The values of a change: before and after for an update, else all values of the entity. */
export function ChangeValues({ change }: { change: Change }) {
  const values = valueChanges(change);
  if (change.action === 'update') {
    if (values.length === 0) return <p className="change-note">No property has changed.</p>;
    return <ValueTable values={values} label="Values before and after" />;
  }
  const whole = change.after ?? change.before;
  const side = change.action === 'create' ? 'after' : 'before';
  const facts: [string, string][] = [];
  if (whole?.labels && whole.labels.length > 1) facts.push(['Labels', whole.labels.map(escapeInvisible).join(', ')]);
  if (whole?.source_id && whole.target_id) facts.push(['Source', shortId(whole.source_id)], ['Target', shortId(whole.target_id)]);
  if (values.length + facts.length === 0) return <p className="change-note">Without properties.</p>;
  const table = (
    <table className="values" aria-label={change.action === 'create' ? 'Values after' : 'Values before'}>
      <thead>
        <tr>
          <th scope="col">Property</th>
          <th scope="col">{change.action === 'create' ? 'After' : 'Before'}</th>
        </tr>
      </thead>
      <tbody>
        {facts.map(([name, text]) => (
          <tr key={`fact ${name}`}>
            <th scope="row">
              <em>{name}</em>
            </th>
            <td>{text}</td>
          </tr>
        ))}
        {values.map((value) => (
          <tr key={value.name}>
            <th scope="row">{escapeInvisible(value.name)}</th>
            <td className={side}>
              <ValueCell value={value[side]} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
  if (values.length <= shownValues) return table;
  return (
    <details>
      <summary>{values.length} properties</summary>
      {table}
    </details>
  );
}
