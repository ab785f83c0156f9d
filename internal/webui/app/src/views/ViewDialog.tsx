// The name, the description and the sharing of a saved view, for a new one or an own one.
import { Modal, MultiSelect, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listRoles } from '../roles/roles';
import type { Me } from '../session/session';
import { FormFooter, useSubmit } from '../shell/Form';
import { useDiscardQuestion } from '../shell/useDiscardQuestion';
import type { SavedView, ViewMembers } from './views';

type Sharing = 'private' | 'roles' | 'everyone';

interface Props {
  title: string;
  label: string;
  /** The members of the saved view; null for a new one. */
  before: SavedView | null;
  account: Me | null;
  onSubmit: (members: ViewMembers) => Promise<void>;
  onClose: () => void;
}

/** The service's bounds. */
const maxName = 64;
const maxDescription = 1000;

const sharingOf = (view: SavedView | null): Sharing => (view?.everyone ? 'everyone' : view?.roles?.length ? 'roles' : 'private');

export default function ViewDialog({ title, label, before, account, onSubmit, onClose }: Props) {
  const [name, setName] = useState(before?.name ?? '');
  const [description, setDescription] = useState(before?.description ?? '');
  const [sharing, setSharing] = useState(sharingOf(before));
  const [roles, setRoles] = useState<string[]>(before?.roles ?? []);
  // Administrators may share with any role, others with their own.
  const all = useQuery({ queryKey: ['roles'], queryFn: listRoles, enabled: account?.admin === true });
  const choices = [
    ...new Set([...(account?.roles ?? []), ...(all.data?.roles ?? []).map((role) => role.name), ...(before?.roles ?? [])]),
  ].sort();
  const members: ViewMembers = {
    name: name.trim(),
    description: description.trim(),
    everyone: sharing === 'everyone',
    roles: sharing === 'roles' ? roles : [],
  };
  const entered =
    members.name !== (before?.name ?? '') ||
    members.description !== (before?.description ?? '') ||
    sharing !== sharingOf(before) ||
    members.roles.join() !== (before?.roles ?? []).join();
  const { problem, busy, submit } = useSubmit(() => onSubmit(members));
  const discard = useDiscardQuestion(entered, onClose);
  const ofRoles = problem?.details.find((detail) => /^roles\b/.test(detail.field))?.message;
  const ofFields = Boolean(problem?.field('name') ?? problem?.field('description') ?? ofRoles);
  const stale =
    problem?.code === 'PRECONDITION_FAILED' ? 'The view was changed in another window meanwhile. Open it again, then change it.' : null;

  return (
    <>
      <Modal opened onClose={discard.close} title={title} closeOnClickOutside={false} closeOnEscape={!discard.asking}>
        <form onSubmit={submit}>
          <Stack gap="sm">
            <TextInput
              label="Name"
              required
              withAsterisk={false}
              maxLength={maxName}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={problem?.field('name')}
              data-autofocus
            />
            <Textarea
              label="Description"
              maxLength={maxDescription}
              autosize
              minRows={2}
              maxRows={6}
              value={description}
              onChange={(event) => setDescription(event.currentTarget.value)}
              error={problem?.field('description')}
            />
            <Radio.Group label="Shared with" value={sharing} onChange={(next) => setSharing(next as Sharing)}>
              <Stack gap={6} mt={4}>
                <Radio value="private" label="Only me" />
                <Radio
                  value="roles"
                  label="Roles"
                  disabled={choices.length === 0}
                  description={choices.length === 0 ? 'You have no roles' : 'Users who have one of them'}
                />
                <Radio value="everyone" label="Everyone" description="All users who may read" />
              </Stack>
            </Radio.Group>
            {sharing === 'roles' && (
              <MultiSelect
                label="Roles"
                searchable
                data={choices}
                value={roles}
                onChange={setRoles}
                maxValues={20}
                error={ofRoles}
                placeholder={roles.length === 0 ? 'Choose roles' : ''}
              />
            )}
            {sharing !== 'private' && (
              <Text size="xs" c="dimmed">
                It gives no rights: others see what their own rights show. They can read what the view itself holds: names of types and
                properties, the values of its filter, and IDs of nodes on its canvas.
              </Text>
            )}
            <FormFooter
              label={label}
              error={problem && !ofFields ? (stale ?? problem.text) : null}
              busy={busy}
              onCancel={discard.close}
              disabled={members.name === '' || (sharing === 'roles' && roles.length === 0) || (before !== null && !entered)}
            />
          </Stack>
        </form>
      </Modal>
      {discard.question}
    </>
  );
}
