// Two versions of values side by side: of a change, of an entity at two times, of two entities, or of a conflict.
import type { ReactNode } from 'react';
import { cellText, escapeInvisible, pluralize } from '../values/text';
import type { Value } from '../values/value';
import type { ComparedValue, ValueChange } from './change';

type Side = 'before' | 'after';

interface Props {
  values: (ValueChange & { differs?: boolean })[];
  label: string;
  /** What the versions are called, unless they are those before and after a change. */
  headings?: [string, string] | undefined;
  /** Shown with a value instead of it alone, such as a choice. */
  cell?: ((name: string, side: Side, value: ReactNode) => ReactNode) | undefined;
}

/** Values side by side; those that differ are marked. */
export function ValueTable({ values, label, headings, cell = (_, __, value) => value }: Props) {
  const [first, second] = headings ?? ['Before', 'After'];
  const cellOf = (name: string, value: Value | undefined, side: Side, differs: boolean) => {
    const mark = headings ? 'differs' : value === undefined ? undefined : side;
    return <td className={differs ? mark : undefined}>{cell(name, side, <ValueCell value={value} />)}</td>;
  };
  return (
    <table className="values" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Property</th>
          <th scope="col">{first}</th>
          <th scope="col">{second}</th>
        </tr>
      </thead>
      <tbody>
        {values.map(({ name, before, after, differs = true }) => (
          <tr key={name}>
            <th scope="row">{escapeInvisible(name)}</th>
            {cellOf(name, before, 'before', differs)}
            {cellOf(name, after, 'after', differs)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface DifferenceProps extends Omit<Props, 'values'> {
  values: ComparedValue[];
  /** Shown if no value differs. */
  same: string;
}

/** The values that differ; all others on request. */
export function ValueDifference({ values, same: sameText, ...table }: DifferenceProps) {
  const differing = values.filter((value) => value.differs);
  const same = values.filter((value) => !value.differs);
  if (values.length === 0) return <p className="change-note">Without properties.</p>;
  return (
    <>
      {differing.length > 0 && <ValueTable {...table} values={differing} />}
      {differing.length === 0 && <p className="change-note">{sameText}</p>}
      {same.length > 0 && (
        <details className="same-values">
          <summary>{pluralize(same.length, 'property is the same', 'properties are the same')}</summary>
          <ValueTable values={same} label="Values that are the same" headings={table.headings} />
        </details>
      )}
    </>
  );
}

export function ValueCell({ value }: { value: Value | undefined }) {
  if (value === undefined) return <span className="absent">not set</span>;
  return <>{escapeInvisible(cellText(value)) || <span className="absent">empty text</span>}</>;
}
