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

/** The types of nodes and edges of the graph. */
function useKnownTypes(): string[] {
  const may = usePermissions();
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.see });
  return [...(schema.data?.node_types ?? []), ...(schema.data?.edge_types ?? [])].map((type) => type.type);
}

/** What is entered, and what the service refuses of it. */
function useWebhookForm(webhook: Webhook | null, onDone: Props['onDone']) {
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
  const isAssigned = ['name', 'url', 'kinds', 'types', 'actions', 'enabled', 'secret'].some(fieldError);
  const unassigned = problem && !isAssigned ? problem.text : null;
  return { name, setName, secret, setSecret, draft, change, changed, fieldError, unassigned, busy, submit };
}

/** Creates or edits a webhook. */
export function WebhookDialog({ webhook, onClose, onDone }: Props) {
  const known = useKnownTypes();
  const form = useWebhookForm(webhook, onDone);
  const { name, setName, secret, setSecret, draft, change, changed, fieldError, unassigned } = form;
  const { question, asking, close } = useDiscardQuestion(changed, onClose);

  return (
    <>
      <Modal
        opened
        onClose={close}
        title={webhook ? `Webhook ${escapeInvisible(webhook.name)}` : 'New webhook'}
        closeOnClickOutside={false}
        closeOnEscape={!asking}
      >
        <form onSubmit={form.submit} autoComplete="off">
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
            <Choices
              label="Changes of"
              description="None selected: both"
              options={kinds}
              labelOf={(kind) => `${kind}s`}
              value={draft.kinds}
              onChange={(next) => change({ kinds: next })}
              error={fieldError('kinds')}
            />
            <Choices
              label="Actions"
              description="None selected: all"
              options={actions}
              labelOf={(action) => action}
              value={draft.actions}
              onChange={(next) => change({ actions: next })}
              error={fieldError('actions')}
            />
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
              error={unassigned}
              busy={form.busy}
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

interface ChoicesProps<T extends string> {
  label: string;
  description: string;
  options: readonly T[];
  labelOf: (option: T) => string;
  value: T[];
  /** Gets the selected options in their order. */
  onChange: (selected: T[]) => void;
  error: string | undefined;
}

/** A group of checkboxes. */
function Choices<T extends string>({ label, description, options, labelOf, value, onChange, error }: ChoicesProps<T>) {
  return (
    <Checkbox.Group
      label={label}
      description={description}
      value={value}
      onChange={(next) => onChange(options.filter((option) => (next as string[]).includes(option)))}
      error={error}
    >
      <Group mt={6}>
        {options.map((option) => (
          <Checkbox key={option} value={option} label={labelOf(option)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}
