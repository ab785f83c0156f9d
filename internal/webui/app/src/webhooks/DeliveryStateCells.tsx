import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { asProblem } from '../api/problem';
import { escapeInvisible } from '../values/text';
import { listDeliveries, summarizeDeliveries, type Webhook } from './webhooks';

// The deliveries that are read for the state of a webhook: one request for each webhook.
const summarizedDeliveries = 100;

/** The cells of a webhook's row for its state, what is not delivered, and the last error. */
export function DeliveryStateCells({ webhook }: { webhook: Webhook }) {
  const deliveries = useQuery({
    queryKey: ['deliveries', webhook.name, 'summary'],
    staleTime: 0,
    queryFn: async ({ signal }) => summarizeDeliveries(await listDeliveries(webhook.name, { limit: summarizedDeliveries }, signal)),
  });
  const summary = deliveries.data;
  return (
    <>
      <td>
        <Badge miw="max-content" tt="none" size="sm" radius="sm" variant="default">
          {webhook.enabled ? 'enabled' : 'disabled'}
        </Badge>
      </td>
      <td style={{ minWidth: '8rem' }}>
        {summary?.failing && (
          <TriangleAlert size={14} aria-hidden style={{ verticalAlign: -2, marginRight: 5, color: 'var(--mantine-color-error)' }} />
        )}
        {summary?.text ?? (deliveries.isError ? asProblem(deliveries.error).message : '…')}
      </td>
      <td style={{ minWidth: '9rem' }}>{escapeInvisible(summary?.problem ?? '')}</td>
    </>
  );
}
