import { useMemo, useRef } from 'react';
import type { EntityKind, Page, PropertyUse, Schema } from '../api/graph';
import { appendProperties, columnsOf, orderedProperties, propertiesInRows, type Column, type EndNames } from './columns';
import { namingPropertyAt } from './endProperties';
import type { Row } from './lists';

interface SeenColumns {
  schema: Schema;
  uses: PropertyUse[];
  pages: WeakSet<Page<Row>>;
  columns: Column[];
  ends: EndNames;
}

/** All columns of a list. While the page is open, no column of a type moves or disappears: properties that are found later come last. */
export function useColumns(schema: Schema, kind: EntityKind, type: string | null, pages: Page<Row>[] | undefined): Column[] {
  const types = useRef(new Map<string | null, SeenColumns>());
  return useMemo(() => {
    const key = type === null ? kind : `${kind}:${type}`;
    const seen = types.current.get(key) ?? { schema, uses: [], pages: new WeakSet(), columns: [], ends: {} };
    const known = type === null ? [] : orderedProperties(schema, kind, type);
    let uses = seen.schema === schema && seen.columns.length > 0 ? seen.uses : appendProperties(seen.uses, known);
    for (const page of type === null ? [] : (pages ?? [])) {
      if (seen.pages.has(page)) continue;
      seen.pages.add(page);
      const found = propertiesInRows(uses, page.items);
      if (found.length > 0) uses = [...uses, ...found];
    }
    // Rows are memoized, so the columns stay the same array while nothing is found.
    const ends =
      kind === 'node' || type === null
        ? {}
        : { source: namingPropertyAt(schema, type, 'source'), target: namingPropertyAt(schema, type, 'target') };
    const same = uses === seen.uses && seen.columns.length > 0 && ends.source === seen.ends.source && ends.target === seen.ends.target;
    const columns = same ? seen.columns : columnsOf({ kind, type }, uses, ends);
    types.current.set(key, { schema, uses, pages: seen.pages, columns, ends });
    return columns;
  }, [schema, kind, type, pages]);
}
