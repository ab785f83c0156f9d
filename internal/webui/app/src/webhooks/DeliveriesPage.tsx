import { Badge, Button, Group, NativeSelect, Text } from '@mantine/core';
import { ArrowLeft, RotateCw, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { explorePath } from '../explore/url';
import { ListFooter, ListHeader, useCursorList } from '../shell/CursorList';
import { GridTable } from '../shell/GridTable';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { notify, notifyProblem } from '../shell/notify';
import { escapeInvisible, formatCount, formatTime, pluralize, shortId } from '../values/text';
import { listDeliveries, retryDelivery, states, type Delivery, type DeliveryState } from './webhooks';

/** The changes that a webhook has not delivered, newest first. The URL has the state that is shown. */
export default function DeliveriesPage() {
  const { name = '' } = useParams();
  const [params, setParams] = useSearchParams();
  const state = states.find((each) => each === params.get('state'));
  const query = state ? { state } : {};
  const list = useCursorList(['deliveries', name, 'list', state], (cursor, signal) =>
    listDeliveries(name, { ...query, ...(cursor ? { cursor } : {}) }, signal),
  );
  const deliveries = list.items;
  const dead = deliveries.filter((delivery) => delivery.state === 'dead');
  const [retrying, setRetrying] = useState(false);

  async function retry(chosen: Delivery[]) {
    setRetrying(true);
    try {
      for (const { id } of chosen) await retryDelivery(name, id);
      notify(pluralize(chosen.length, 'delivery', 'deliveries'), 'Sent again');
    } catch (error) {
      notifyProblem(error, 'Not sent again');
    }
    setRetrying(false);
    void list.refetch();
  }
  return (
    <div className="page">
      <div className="page-inner">
        <Link className="linkbutton" to="/webhooks" style={{ fontSize: 13 }}>
          <ArrowLeft size={13} aria-hidden style={{ verticalAlign: -2 }} /> All webhooks
        </Link>
        <ListHeader
          title={`Deliveries of ${escapeInvisible(name)}`}
          path={`/api/admin/webhooks/${encodeURIComponent(name)}/deliveries`}
          query={query}
          list={list}
        />
        <Group mb="md" align="flex-end">
          <NativeSelect
            size="xs"
            label="State"
            data={[{ value: '', label: 'any' }, ...states]}
            value={state ?? ''}
            onChange={(e) => setParams(e.currentTarget.value ? { state: e.currentTarget.value } : {})}
          />
          {dead.length > 0 && (
            <Button
              size="xs"
              variant="default"
              leftSection={<RotateCw size={14} aria-hidden />}
              loading={retrying}
              onClick={() => void retry(dead)}
            >
              Send {pluralize(dead.length, 'dead one', 'dead ones')} again
            </Button>
          )}
        </Group>
        {list.isPending && <Loading subject="the deliveries" />}
        {list.isError && deliveries.length === 0 && (
          <LoadError error={list.error} subject="the deliveries" retry={() => void list.refetch()} />
        )}
        {list.isSuccess && deliveries.length === 0 && !list.hasNextPage && (
          <EmptyState icon={WebhookIcon} title={state ? `Nothing is ${state}` : 'Everything is delivered'}>
            Deliveries that fail are repeated with growing pauses for 24 hours. Then they are dead, until they are sent again.
          </EmptyState>
        )}
        {deliveries.length > 0 && <DeliveryTable deliveries={deliveries} busy={retrying} onRetry={(delivery) => void retry([delivery])} />}
        {list.data && <ListFooter list={list} />}
        {deliveries.length > 0 && (
          <Text size="xs" c="dimmed" mt="sm">
            pending: waits for an earlier change of the same node or edge; failed: will be repeated; dead: given up.
          </Text>
        )}
      </div>
    </div>
  );
}

function DeliveryTable({ deliveries, busy, onRetry }: { deliveries: Delivery[]; busy: boolean; onRetry: (delivery: Delivery) => void }) {
  return (
    <GridTable
      label="Deliveries that were not made"
      head={
        <>
          <th>Since</th>
          <th>Change</th>
          <th>State</th>
          <th className="right">Attempts</th>
          <th>Last error</th>
          <th>Last attempt</th>
          <th>Next attempt</th>
          <th aria-label="Send again" />
        </>
      }
    >
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} busy={busy} onRetry={() => onRetry(delivery)} />
      ))}
    </GridTable>
  );
}

const colours: Record<DeliveryState, string> = { pending: '', failed: 'note-soon', dead: 'note-bad' };

function DeliveryRow({ delivery, busy, onRetry }: { delivery: Delivery; busy: boolean; onRetry: () => void }) {
  const { type, entity, state } = delivery;
  const kind = type.startsWith('edge.') ? 'edge' : 'node';
  const time = (at: string | null) => (
    <td style={{ minWidth: '7rem', fontVariantNumeric: 'tabular-nums' }} title={at ?? undefined}>
      {at === null ? '' : formatTime(at)}
    </td>
  );
  return (
    <tr>
      {time(delivery.created_at)}
      <td style={{ whiteSpace: 'nowrap' }}>
        {type}{' '}
        <Link
          className="linkbutton mono"
          style={{ textDecoration: 'underline' }}
          to={explorePath({ kind, type: null, open: { kind, id: entity }, tab: 'history' })}
          title={`${entity}: show its history`}
        >
          {shortId(entity)}
        </Link>
      </td>
      <td>
        <Badge miw="max-content" tt="none" size="sm" radius="sm" variant="default" className={colours[state]}>
          {state}
        </Badge>
      </td>
      <td className="right">{formatCount(delivery.attempts)}</td>
      <td style={{ minWidth: '9rem' }}>{escapeInvisible(delivery.problem ?? '')}</td>
      {time(delivery.last_attempt_at)}
      {time(delivery.next_attempt_at)}
      <td className="right">
        {state !== 'pending' && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<RotateCw size={13} aria-hidden />}
            disabled={busy}
            aria-label={`Send again: ${type} ${shortId(entity)}`}
            onClick={onRetry}
          >
            Send again
          </Button>
        )}
      </td>
    </tr>
  );
}
