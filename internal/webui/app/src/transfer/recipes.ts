// Mappings that are stored by a name in this browser, for files with the same columns. They have no values of the files.
import { readLocalRecord, writeLocal } from '../shell/localStorage';
import type { Mapping } from './mapping';
import type { Table } from './tables';

const storageKey = 'graphrest.import-recipes';

export type Recipes = Record<string, Mapping>;

export const loadRecipes = (): Recipes => readLocalRecord<Mapping>(storageKey);

/** Keeps a mapping, or removes it. Returns all that are kept; false if the browser keeps nothing. */
export function keepRecipe(name: string, mapping: Mapping | null): Recipes | false {
  const recipes = loadRecipes();
  if (mapping) recipes[name] = mapping;
  else delete recipes[name];
  return writeLocal(storageKey, recipes) && recipes;
}

/** The recipe for a table: columns by their names; those that it does not have are ignored. Null if the table lacks a column of it. */
export function applyRecipe(recipe: Mapping, table: Table): Mapping | null {
  const needed = recipe.columns.filter((c) => c.use !== 'ignore');
  if (needed.some((c) => !table.columns.includes(c.column))) return null;
  const columns = table.columns.map(
    (column) =>
      recipe.columns.find((c) => c.column === column) ?? { column, use: 'ignore' as const, property: column, kind: 'String' as const },
  );
  return { ...recipe, columns };
}
