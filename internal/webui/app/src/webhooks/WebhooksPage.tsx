import { ActionIcon, Button, Menu, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { EllipsisVertical, Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { ConfirmDialog } from '../shell/ConfirmDialog';
import { GridTable } from '../shell/GridTable';
import { RefreshButton } from '../shell/RefreshButton';
import { SecretDialog } from '../shell/SecretDialog';
import { LoadError, Loading } from '../shell/States';
import { ListPage } from '../shell/ListPage';
import { notify, notifyProblem } from '../shell/notify';
import { escapeInvisible, pluralize } from '../values/text';
import { DeliveryStateCells } from './DeliveryStateCells';
import { WebhookDialog } from './WebhookDialog';
import { changeWebhook, deleteWebhook, listWebhooks, selectionText, type Webhook, type WebhookWithSecret } from './webhooks';

type DialogName = 'edit' | 'secret' | 'delete';
type Open = { dialog: 'new' } | { dialog: DialogName; webhook: Webhook } | null;

/** The webhooks, for administrators: their state, and the last error of those whose deliveries fail. */
export default function WebhooksPage() {
  const queries = useQueryClient();
  const list = useQuery({ queryKey: ['webhooks'], queryFn: listWebhooks, staleTime: 0 });
  const [open, setOpen] = useState<Open>(null);
  const [shown, setShown] = useState<WebhookWithSecret | null>(null);
  if (list.isPending) return <Loading subject="the webhooks" />;
  if (list.isLoadingError) return <LoadError error={list.error} subject="the webhooks" retry={() => void list.refetch()} />;
  const close = () => setOpen(null);
  const reload = () => Promise.all(['webhooks', 'deliveries'].map((key) => queries.invalidateQueries({ queryKey: [key] })));

  function finish(title: string, webhook: WebhookWithSecret) {
    void reload();
    close();
    if (webhook.secret) setShown(webhook);
    else notify(webhook.name, title);
  }
  const button = (
    <Button size="xs" leftSection={<Plus size={15} />} onClick={() => setOpen({ dialog: 'new' })}>
      New webhook
    </Button>
  );
  return (
    <ListPage
      title="Webhooks"
      count={pluralize(list.data.length, 'webhook')}
      actions={
        <>
          <RefreshButton keys={['webhooks', 'deliveries']} />
          {button}
        </>
      }
      empty={
        list.data.length === 0
          ? {
              icon: WebhookIcon,
              title: 'No webhooks',
              text: 'A webhook sends recorded changes to an HTTP endpoint, signed, at least once, and in order for each node and edge.',
              action: button,
            }
          : null
      }
      dialogs={
        <>
          {open?.dialog === 'new' && (
            <WebhookDialog webhook={null} onClose={close} onDone={(webhook) => finish('Webhook created', webhook)} />
          )}
          {open?.dialog === 'edit' && (
            <WebhookDialog webhook={open.webhook} onClose={close} onDone={(webhook) => finish('Webhook saved', webhook)} />
          )}
          {open?.dialog === 'secret' && (
            <ConfirmDialog
              title="Generate a new secret?"
              label="Generate secret"
              onClose={close}
              run={async () => finish('', await changeWebhook(open.webhook.name, { secret: null }))}
            >
              <Text size="sm">
                From then on deliveries are signed with the new secret only. The endpoint rejects them until it has the new secret; they are
                retried.
              </Text>
            </ConfirmDialog>
          )}
          {open?.dialog === 'delete' && (
            <ConfirmDialog
              title="Delete this webhook?"
              label="Delete webhook"
              onClose={close}
              run={async () => {
                await deleteWebhook(open.webhook.name);
                finish('Webhook deleted', open.webhook);
              }}
            >
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <strong>{escapeInvisible(open.webhook.name)}</strong> delivers nothing any more. What it has not delivered is discarded.
              </Text>
            </ConfirmDialog>
          )}
          {shown?.secret && (
            <SecretDialog title={`Secret of ${escapeInvisible(shown.name)}`} secret={shown.secret} onClose={() => setShown(null)}>
              The endpoint checks the signature of each delivery with it.
            </SecretDialog>
          )}
        </>
      }
    >
      <WebhookTable webhooks={list.data} onOpen={setOpen} onChanged={() => void reload()} />
    </ListPage>
  );
}

function WebhookTable({ webhooks, onOpen, onChanged }: { webhooks: Webhook[]; onOpen: (open: Open) => void; onChanged: () => void }) {
  return (
    <GridTable
      label="All webhooks"
      head={
        <>
          <th>Name</th>
          <th>URL</th>
          <th>Delivers</th>
          <th>State</th>
          <th>Not delivered</th>
          <th>Last error</th>
          <th aria-label="More" />
        </>
      }
    >
      {webhooks.map((webhook) => (
        <WebhookRow key={webhook.name} webhook={webhook} onOpen={(dialog) => onOpen({ dialog, webhook })} onChanged={onChanged} />
      ))}
    </GridTable>
  );
}

function WebhookRow({ webhook, onOpen, onChanged }: { webhook: Webhook; onOpen: (dialog: DialogName) => void; onChanged: () => void }) {
  const name = escapeInvisible(webhook.name);

  async function toggle() {
    try {
      await changeWebhook(webhook.name, { enabled: !webhook.enabled });
      onChanged();
    } catch (error) {
      notifyProblem(error, `${webhook.name} was not changed`);
    }
  }
  return (
    <tr>
      <td style={{ fontWeight: 550 }}>
        <Link className="linkbutton" to={`/webhooks/${encodeURIComponent(webhook.name)}`}>
          {name}
        </Link>
      </td>
      <td className="mono" style={{ minWidth: '10rem' }}>
        {escapeInvisible(webhook.url)}
      </td>
      <td style={{ minWidth: '9rem' }}>{escapeInvisible(selectionText(webhook))}</td>
      <DeliveryStateCells webhook={webhook} />
      <td className="right">
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={`More for ${name}`}>
              <EllipsisVertical size={17} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item component={Link} to={`/webhooks/${encodeURIComponent(webhook.name)}`}>
              Deliveries
            </Menu.Item>
            <Menu.Item onClick={() => onOpen('edit')}>Edit</Menu.Item>
            <Menu.Item onClick={() => void toggle()}>{webhook.enabled ? 'Disable' : 'Enable'}</Menu.Item>
            <Menu.Item onClick={() => onOpen('secret')}>Generate a new secret</Menu.Item>
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => onOpen('delete')}>
              Delete
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </td>
    </tr>
  );
}
