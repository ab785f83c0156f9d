import { Modal, MultiSelect, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { allPermissions, useSession } from '../session/session';
import { FormFooter, useSubmit } from '../shell/Form';
import { createPersonalToken, type CreatedPersonalToken } from './personalTokens';
import { ExpiryField, PermissionsField, TokenNameField } from './TokenCells';
import { expiryDates, startOfDate } from './tokens';

interface Props {
  onClose: () => void;
  onDone: (token: CreatedPersonalToken) => void;
}

/** Makes a personal token, with all rights of the user or with those that are chosen. */
export function NewPersonalToken({ onClose, onDone }: Props) {
  const { me } = useSession();
  const [dates] = useState(() => expiryDates(new Date()));
  const [name, setName] = useState('');
  const [whole, setWhole] = useState(true);
  const [permissions, setPermissions] = useState<string[]>([]);
  const [roles, setRoles] = useState<string[]>([]);
  const [expires, setExpires] = useState(dates.preset);
  const held = allPermissions.filter((permission) => me?.permissions.includes(permission));
  const { problem, busy, submit } = useSubmit(async () => {
    const chosen = { permissions: held.filter((permission) => permissions.includes(permission)), roles };
    onDone(await createPersonalToken({ name, ...(whole ? {} : chosen), expires_at: startOfDate(expires) }));
  });
  const unassigned = problem && !['name', 'permissions', 'roles', 'expires_at'].some((field) => problem.field(field));
  return (
    <Modal opened onClose={onClose} title="New personal token" closeOnClickOutside={false}>
      <form onSubmit={submit} autoComplete="off">
        <Stack gap="sm">
          <TokenNameField value={name} onChange={setName} error={problem?.field('name')} />
          <Radio.Group label="Rights" value={whole ? 'all' : 'some'} onChange={(value) => setWhole(value === 'all')}>
            <Stack gap={6} mt={6}>
              <Radio value="all" label="All that you have, now and later" />
              <Radio value="some" label="Only these:" />
            </Stack>
          </Radio.Group>
          {!whole && (
            <PermissionsField offered={held} value={permissions} onChange={setPermissions} error={problem?.field('permissions')} />
          )}
          {!whole && (me?.roles.length ?? 0) > 0 && (
            <MultiSelect label="Roles" data={me!.roles} value={roles} onChange={setRoles} error={problem?.field('roles')} />
          )}
          <ExpiryField dates={dates} value={expires} onChange={setExpires} error={problem?.field('expires_at')} />
          <FormFooter label="Create token" error={unassigned ? problem.text : null} busy={busy} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
