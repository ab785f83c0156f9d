import { useCallback, useState } from 'react';
import type { Row } from './lists';
import { emptySelection, type RowSelection } from './selection';

export type Selected = [RowSelection<Row>, (next: RowSelection<Row> | ((now: RowSelection<Row>) => RowSelection<Row>)) => void];

/** The selected rows of a list of a type. They stay when it is sorted or filtered, and are gone with another type. */
export function useRowSelection(list: string): Selected {
  const [state, setState] = useState<{ list: string; rows: RowSelection<Row> }>({ list, rows: emptySelection });
  const set = useCallback<Selected[1]>(
    (next) =>
      setState((before) => ({ list, rows: typeof next === 'function' ? next(before.list === list ? before.rows : emptySelection) : next })),
    [list],
  );
  return [state.list === list ? state.rows : emptySelection, set];
}
