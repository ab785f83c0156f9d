import { Checkbox, Group, Modal, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getSchema } from '../api/graph';
import { usePermissions } from '../session/session';
import { FormFooter, useSubmit } from '../shell/Form';
import { useDiscardQuestion } from '../shell/useDiscardQuestion';
import { escapeInvisible } from '../values/text';
import { actions, changedMembers, changeWebhook, createWebhook, kinds, type Webhook, type WebhookWithSecret } from './webhooks';

interface Props {
  /** The webhook to edit; null for a new one. */
  webhook: Webhook | null;
  onClose: () => void;
  onDone: (webhook: WebhookWithSecret) => void;
}

/** Creates or edits a webhook. */
export function WebhookDialog({ webhook, onClose, onDone }: Props) {
  const may = usePermissions();
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.see });
  const [name, setName] = useState('');
  const [secret, setSecret] = useState('');
  const [draft, setDraft] = useState({
    url: webhook?.url ?? '',
    kinds: webhook?.kinds ?? [],
    types: webhook?.types ?? [],
    actions: webhook?.actions ?? [],
    enabled: webhook?.enabled ?? true,
  });
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part });
  const changes = webhook ? changedMembers(webhook, draft) : {};
  const changed = webhook ? Object.keys(changes).length > 0 : name !== '' || draft.url !== '';
  const { problem, busy, submit } = useSubmit(async () => {
    onDone(webhook ? await changeWebhook(webhook.name, changes) : await createWebhook({ name, ...draft, ...(secret ? { secret } : {}) }));
  });
  const fieldError = (of: string) => problem?.details.find(({ field }) => field === of || field.startsWith(`${of}[`))?.message;
  const unassigned = problem && !['name', 'url', 'kinds', 'types', 'actions', 'enabled', 'secret'].some(fieldError);
  const { question, asking, close } = useDiscardQuestion(changed, onClose);
  const known = [...(schema.data?.node_types ?? []), ...(schema.data?.edge_types ?? [])].map((type) => type.type);

  return (
    <>
      <Modal
        opened
        onClose={close}
        title={webhook ? `Webhook ${escapeInvisible(webhook.name)}` : 'New webhook'}
        closeOnClickOutside={false}
        closeOnEscape={!asking}
      >
        <form onSubmit={submit} autoComplete="off">
          <Stack gap="sm">
            {!webhook && (
              <TextInput
                label="Name"
                description="Letters, digits, _ and -"
                required
                withAsterisk={false}
                maxLength={64}
                value={name}
                onChange={(e) => setName(e.currentTarget.value)}
                error={fieldError('name')}
                data-autofocus
              />
            )}
            <TextInput
              label="URL"
              description="Each change is sent to it as a POST"
              placeholder="https://hooks.example/graph"
              required
              withAsterisk={false}
              maxLength={2048}
              spellCheck={false}
              value={draft.url}
              onChange={(e) => change({ url: e.currentTarget.value })}
              error={fieldError('url')}
            />
            <Checkbox.Group
              label="Changes of"
              description="None selected: both"
              value={draft.kinds}
              onChange={(next) => change({ kinds: kinds.filter((kind) => next.includes(kind)) })}
              error={fieldError('kinds')}
            >
              <Group mt={6}>
                {kinds.map((kind) => (
                  <Checkbox key={kind} value={kind} label={`${kind}s`} />
                ))}
              </Group>
            </Checkbox.Group>
            <Checkbox.Group
              label="Actions"
              description="None selected: all"
              value={draft.actions}
              onChange={(next) => change({ actions: actions.filter((action) => next.includes(action)) })}
              error={fieldError('actions')}
            >
              <Group mt={6}>
                {actions.map((action) => (
                  <Checkbox key={action} value={action} label={action} />
                ))}
              </Group>
            </Checkbox.Group>
            <TagsInput
              label="Types"
              placeholder={draft.types.length === 0 ? 'All types' : ''}
              data={[...new Set(known)]}
              value={draft.types}
              onChange={(types) => change({ types })}
              error={fieldError('types')}
              splitChars={[]}
              acceptValueOnBlur
            />
            {!webhook && (
              <TextInput
                label="Secret"
                description="whsec_ and base64; empty: the service generates one"
                value={secret}
                spellCheck={false}
                onChange={(e) => setSecret(e.currentTarget.value)}
                error={fieldError('secret')}
              />
            )}
            <Switch
              label="Enabled"
              description="A disabled webhook keeps its position in the change feed and resumes from it"
              checked={draft.enabled}
              onChange={(e) => change({ enabled: e.currentTarget.checked })}
            />
            <FormFooter
              label={webhook ? 'Save' : 'Create webhook'}
              error={unassigned ? problem.text : null}
              busy={busy}
              disabled={webhook !== null && !changed}
              onCancel={close}
            />
          </Stack>
        </form>
      </Modal>
      {question}
    </>
  );
}
