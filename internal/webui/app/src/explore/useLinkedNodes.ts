// Fills the columns of a table that show what is beside its rows.
import { useQueries, type QueryKey } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { Page } from '../api/graph';
import { asProblem } from '../api/problem';
import type { Column } from './columns';
import { maxNamed, readLinked, type Found, type Linked } from './linkedNodes';
import type { Row } from './lists';

let last: Promise<unknown> = Promise.resolve();

/** Reads one after another: questions take places that the service has few of, and other users need them, too. */
function inTurn<T>(read: () => Promise<T>): Promise<T> {
  const turn = last.then(read);
  last = turn.catch(() => undefined);
  return turn;
}

/** The beginning of the keys of what is read; lists.ts reads it again after changes. */
const rootKey = 'linked';

interface LinkedState {
  found: Found;
  error: Error | null;
}

/** Fills the columns that show what is beside the rows. Nothing is read for others. */
export function useLinkedNodes(columns: Column[], pages: Page<Row>[] | undefined): Column[] {
  const readings = useMemo(
    () => [...new Map(columns.flatMap(({ reading }) => (reading ? [[reading.name, reading] as const] : []))).values()],
    [columns],
  );
  const asked = useMemo(
    () =>
      readings.flatMap((reading) =>
        (pages ?? []).map((page) => {
          const ids = page.items.map(reading.idOf);
          return {
            name: reading.name,
            queryKey: [rootKey, reading.name, ids] as QueryKey,
            queryFn: ({ signal }: { signal: AbortSignal }) => inTurn(() => readLinked(reading, ids, signal)),
            structuralSharing: false,
          };
        }),
      ),
    [readings, pages],
  );
  const results = useQueries({ queries: asked, combine: pickResults });
  // While a page is read again, or has lost a row, what is known of its rows stays.
  const known = useRef(new Map<string, Found>());
  return useMemo(() => {
    if (asked.length === 0) return columns;
    const states = new Map<string, LinkedState>();
    results.forEach(({ data, error }, at) => {
      const name = asked[at]?.name;
      if (name === undefined) return;
      const found = known.current.get(name) ?? new Map<string, Linked>();
      known.current.set(name, found);
      for (const [id, linked] of data ?? []) found.set(id, linked);
      states.set(name, { found, error: error ?? states.get(name)?.error ?? null });
    });
    return columns.map((column) => fillColumn(column, states));
  }, [columns, asked, results]);
}

const pickResults = (results: { data: Found | undefined; error: Error | null }[]) => results.map(({ data, error }) => ({ data, error }));

function fillColumn(column: Column, states: Map<string, LinkedState>): Column {
  const { reading, linkedText } = column;
  if (!reading || !linkedText) return column;
  const { found, error } = states.get(reading.name) ?? { found: new Map<string, Linked>(), error: null };
  const at = (row: Row) => found.get(reading.idOf(row));
  return {
    ...column,
    ...(error ? { problem: asProblem(error).message } : {}),
    text: (row) => {
      const linked = at(row);
      return linked ? linkedText(linked) : error ? 'not read' : '…';
    },
    ...(reading.hop ? { links: (row: Row) => namedOf(at(row)) } : {}),
  };
}

const namedOf = ({ count, nodes }: Linked = { count: 0, nodes: [] }) => ({
  nodes: nodes.slice(0, maxNamed),
  more: Math.max(0, count - maxNamed),
});
