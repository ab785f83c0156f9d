import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { asProblem } from '../api/problem';
import { GridTable } from '../shell/GridTable';
import { LoadError } from '../shell/States';
import { escapeInvisible } from '../values/text';
import { DeliveryStateCells } from '../webhooks/DeliveryStateCells';
import { listWebhooks } from '../webhooks/webhooks';

/** The state of each webhook. */
export function WebhookStates() {
  const list = useQuery({ queryKey: ['webhooks'], queryFn: listWebhooks, staleTime: 0 });
  const unrecorded = list.isError && asProblem(list.error).code === 'CONFLICT';
  return (
    <section aria-label="Webhooks">
      <h2 className="section-title">Webhooks</h2>
      {unrecorded && <Text size="sm">Changes are not recorded, so nothing is delivered.</Text>}
      {list.isError && !unrecorded && <LoadError error={list.error} subject="the webhooks" retry={() => void list.refetch()} />}
      {list.data?.length === 0 && <Text size="sm">No webhooks</Text>}
      {list.data && list.data.length > 0 && (
        <GridTable
          label="States of the webhooks"
          head={
            <>
              <th>Name</th>
              <th>State</th>
              <th>Not delivered</th>
              <th>Last error</th>
            </>
          }
        >
          {list.data.map((webhook) => (
            <tr key={webhook.name}>
              <td>
                <Link className="linkbutton" to={`/webhooks/${encodeURIComponent(webhook.name)}`}>
                  {escapeInvisible(webhook.name)}
                </Link>
              </td>
              <DeliveryStateCells webhook={webhook} />
            </tr>
          ))}
        </GridTable>
      )}
    </section>
  );
}
