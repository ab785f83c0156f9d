// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Schema } from '../api/graph';
import { ChainRow } from './ChainRow';
import { beginQuestion, extendChain, type ChangeQuestion, type Question } from './question';
import { SummaryMenu } from './SummaryMenu';

vi.mock('react-router', () => ({}));

const schema = { node_types: [], edge_types: [] } as unknown as Schema;
const main = { of: 'match', index: 0 } as const;
const acted = extendChain(beginQuestion({ type: 'Person' }), main, { edge: 'ACTED_IN', direction: 'out', type: 'Film' });

// As an address that has changes before they are rendered: the page shows `acted` until the end.
let address: Question;
const change: ChangeQuestion = (update) => void (address = update(address));
let root: Root;
const box = document.body.appendChild(document.createElement('div'));

/** Clicks on what has a label or a text. */
async function click(called: string) {
  const all = [...document.body.querySelectorAll<HTMLElement>('button, [role=option], input')];
  const found = all.find((each) => each.getAttribute('aria-label') === called || each.textContent === called);
  if (!found) throw new Error(`nothing is called ${called}`);
  await act(async () => found.click());
}

async function show(question: Question, what: 'menu' | 'row') {
  address = question;
  await act(async () =>
    root.render(
      <MantineProvider env="test">
        {what === 'menu' ? (
          <SummaryMenu question={question} schema={schema} onChange={change} />
        ) : (
          <ChainRow question={question} place={main} schema={schema} onChange={change} onClear={() => undefined} />
        )}
      </MantineProvider>,
    ),
  );
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  const observer = { observe: () => undefined, unobserve: () => undefined, disconnect: () => undefined };
  vi.stubGlobal('ResizeObserver', function () {
    return observer;
  });
  Element.prototype.scrollIntoView = () => undefined;
  root = createRoot(box);
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

test('choices of groups and measures add up, also before the first is rendered', async () => {
  await show({ ...acted, measures: [{ op: 'count' }] }, 'menu');
  await click('Group');
  await click('Add a measure');
  await click('film');
  await click('person');
  expect(address).toMatchObject({ groupBy: ['film', 'person'], measures: [{ op: 'count' }, { op: 'count' }] });
});

test('a double click on the button that removes a measure removes one', async () => {
  await show({ ...acted, measures: [{ op: 'count' }, { op: 'count', of: 'film' }] }, 'menu');
  await click('Group');
  await click('Remove measure 1');
  await click('Remove measure 1');
  expect(address.measures).toEqual([{ op: 'count', of: 'film' }]);
});

test('a measure is removed wherever it is now', async () => {
  await show({ ...acted, measures: [{ op: 'count' }, { op: 'count', of: 'film' }, { op: 'count', of: 'person' }] }, 'menu');
  await click('Group');
  await click('Remove measure 1');
  await click('Remove measure 2');
  await click('Remove measure 2');
  expect(address.measures).toEqual([{ op: 'count', of: 'person' }]);
});

test('changes of a chain add up, also before the first is rendered', async () => {
  await show(acted, 'row');
  await click('Direction of ACTED_IN: outgoing');
  await click('Direction of ACTED_IN: outgoing');
  await click('Settings of ACTED_IN');
  await act(async () => document.body.querySelector<HTMLElement>('[type=checkbox]')!.click());
  expect(address.match[0]!.links[0]!.hop).toEqual({ edge: ['ACTED_IN'], direction: 'both', as: 'acted_in' });
  await click('Remove film and what is behind it');
  await act(async () => document.body.querySelector<HTMLElement>('[type=checkbox]')!.click()); // of a hop that is gone
  expect(address.match[0]!.links).toEqual([]);
});
