// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FilterForm } from './FilterForm';

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
});
afterEach(() => vi.unstubAllGlobals());

const fields = ['kind', 'action'].map((name) => ({ name, label: name, choices: ['node', 'update'] }));

test('two selections apply together, also before the address of the first is rendered', async () => {
  const box = document.body.appendChild(document.createElement('div'));
  const root = createRoot(box);
  let address = '';
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        <FilterForm label="Filters" fields={fields} filters={{}} onChange={(next) => (address = next.toString())} />
      </MantineProvider>,
    ),
  );
  for (const [at, value] of ['node', 'update'].entries())
    await act(async () => {
      const select = box.querySelectorAll('select')[at]!;
      select.value = value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
  expect(address).toBe('kind=node&action=update');
  await act(async () => root.unmount());
});
