// Webhooks and their deliveries, for administrators.
import { unwrap, client } from '../api/client';
import type { Page } from '../api/graph';
import type { components } from '../api/openapi';
import { pluralize } from '../values/text';

export type Webhook = components['schemas']['Webhook'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type NewWebhook = components['schemas']['NewWebhook'];
export type WebhookChange = components['schemas']['WebhookChange'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryState = Delivery['state'];

export const kinds = ['node', 'edge'] as const;
export const actions = ['create', 'update', 'delete'] as const;
export const states: DeliveryState[] = ['pending', 'failed', 'dead'];

export async function listWebhooks(): Promise<Webhook[]> {
  return (await unwrap(client.GET('/api/admin/webhooks'))).data.data;
}

export async function createWebhook(webhook: NewWebhook): Promise<WebhookWithSecret> {
  return (await unwrap(client.POST('/api/admin/webhooks', { body: webhook }))).data.data;
}

export async function changeWebhook(name: string, change: WebhookChange): Promise<WebhookWithSecret> {
  return (await unwrap(client.PUT('/api/admin/webhooks/{name}', { params: { path: { name } }, body: change }))).data.data;
}

export async function deleteWebhook(name: string): Promise<void> {
  await unwrap(client.DELETE('/api/admin/webhooks/{name}', { params: { path: { name } } }));
}

export interface DeliveryQuery {
  state?: DeliveryState;
  cursor?: string;
  limit?: number;
}

export async function listDeliveries(name: string, query: DeliveryQuery, signal?: AbortSignal): Promise<Page<Delivery>> {
  const { data } = await unwrap(client.GET('/api/admin/webhooks/{name}/deliveries', { params: { path: { name }, query }, signal }));
  return { items: data.data, page: data.meta.page };
}

export async function retryDelivery(name: string, id: string): Promise<void> {
  await unwrap(client.POST('/api/admin/webhooks/{name}/deliveries/{id}/retry', { params: { path: { name, id } } }));
}

/** What a webhook selects, in words; several values of a member are alternatives. */
export function selectionText({ kinds: of, types, actions: only }: Pick<Webhook, 'kinds' | 'types' | 'actions'>): string {
  const what = of.length === 1 ? `${of[0]}s` : 'nodes and edges';
  const typed = types.length > 0 ? ` of ${types.join(', ')}` : '';
  return `${only.length > 0 && only.length < actions.length ? only.join(', ') : 'all changes'} of ${what}${typed}`;
}

export interface DeliverySummary {
  /** "2 failed, 1 dead", or that nothing is undelivered. */
  text: string;
  failing: boolean;
  /** The error of the last attempt. */
  problem: string | null;
}

/** Sums up the deliveries that were not made. */
export function summarizeDeliveries({ items, page }: Page<Delivery>): DeliverySummary {
  const count = (state: DeliveryState) => items.filter((delivery) => delivery.state === state).length;
  const counted = (['dead', 'failed', 'pending'] as const).filter((state) => count(state) > 0).map((state) => `${count(state)} ${state}`);
  const [last] = items
    .filter((delivery) => delivery.problem !== null && delivery.last_attempt_at !== null)
    .sort((a, b) => Date.parse(b.last_attempt_at!) - Date.parse(a.last_attempt_at!));
  return {
    text:
      counted.length === 0
        ? 'everything delivered'
        : page.has_more
          ? `of the newest ${pluralize(items.length, 'one', 'ones')}: ${counted.join(', ')}`
          : counted.join(', '),
    failing: count('dead') + count('failed') > 0,
    problem: last?.problem ?? null,
  };
}

/** The members of a webhook that a form has changed. */
export function changedMembers(before: Webhook, after: Pick<Webhook, 'url' | 'kinds' | 'types' | 'actions' | 'enabled'>): WebhookChange {
  const members = ['url', 'kinds', 'types', 'actions', 'enabled'] as const;
  return Object.fromEntries(
    members.filter((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member])).map((member) => [member, after[member]]),
  );
}
