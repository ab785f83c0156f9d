import { expect, test } from 'vitest';
import { changedMembers, selectionText, summarizeDeliveries, type Delivery, type Webhook } from './webhooks';

const webhook: Webhook = {
  name: 'search',
  url: 'https://a.example',
  kinds: ['node'],
  types: ['Person'],
  actions: [],
  enabled: true,
  created_at: '',
  updated_at: '',
};

test('only changed members are sent', () => {
  expect(changedMembers(webhook, { ...webhook })).toEqual({});
  expect(changedMembers(webhook, { ...webhook, types: [], enabled: false })).toEqual({ types: [], enabled: false });
});

test('the selection is described in words', () => {
  expect(selectionText(webhook)).toBe('all changes of nodes of Person');
  expect(selectionText({ kinds: [], types: [], actions: ['create', 'delete'] })).toBe('create, delete of nodes and edges');
});

const delivery = (state: Delivery['state'], last: string | null, problem: string | null) =>
  ({ state, last_attempt_at: last, problem }) as Delivery;
const page = (items: Delivery[], more = false) => ({ items, page: { has_more: more, limit: 100, offset: 0, next_cursor: null } });

test('undelivered changes are summed up with the latest error', () => {
  const found = [
    delivery('pending', null, null),
    delivery('failed', '2026-11-01T10:00:00Z', 'status 500'),
    delivery('dead', '2026-11-01T11:00:00Z', 'no answer'),
    delivery('failed', '2026-11-01T09:00:00Z', 'old'),
  ];
  expect(summarizeDeliveries(page(found))).toEqual({ text: '1 dead, 2 failed, 1 pending', failing: true, problem: 'no answer' });
  expect(summarizeDeliveries(page(found, true)).text).toBe('of the newest 4 ones: 1 dead, 2 failed, 1 pending');
  expect(summarizeDeliveries(page([]))).toEqual({ text: 'everything delivered', failing: false, problem: null });
});
