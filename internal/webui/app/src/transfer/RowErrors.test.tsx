// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RowError } from './mapping';
import { mend } from './outcome';
import { RowErrors } from './RowErrors';
import type { Table } from './tables';

vi.mock('../api/graph', () => ({}));

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
});
afterEach(() => vi.unstubAllGlobals());

const error = (row: number): RowError => ({ row, column: 'd', message: 'There is no such day' });

test('a value that is changed stays in its row when the next check finds fewer errors', async () => {
  const box = document.body.appendChild(document.createElement('div'));
  const root = createRoot(box);
  let current: Table = { columns: ['n', 'd'], rows: [['Anna', '30.02.2020'], ['Bob', '31.04.2021']], firstRow: 2 }; // prettier-ignore
  let check = (_: RowError[]) => {};
  const touched = vi.fn();
  function Errors() {
    const [table, setTable] = useState(current);
    const [errors, setErrors] = useState([error(2), error(3)]);
    current = table;
    check = setErrors;
    return <RowErrors errors={errors} table={table} onMend={(e, text) => setTable(mend(table, e, text))} onTouch={touched} />;
  }
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <Errors />
      </MantineProvider>,
    ),
  );
  const field = (row: number) => box.querySelector<HTMLInputElement>(`[aria-label="d of row ${row}"]`)!;
  const enter = (input: HTMLInputElement, text: string) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };
  const leave = (input: HTMLInputElement) => act(async () => void input.dispatchEvent(new FocusEvent('focusout', { bubbles: true })));

  await act(async () => enter(field(2), '28.02.2020'));
  expect(touched).toHaveBeenCalled(); // before the field is left
  await leave(field(2));
  expect(current.rows.map((row) => row[1])).toEqual(['28.02.2020', '31.04.2021']);
  await act(async () => check([error(3)]));
  expect(field(3).value).toBe('31.04.2021');
  await leave(field(3));
  expect(current.rows.map((row) => row[1])).toEqual(['28.02.2020', '31.04.2021']);
  await act(async () => root.unmount());
});
