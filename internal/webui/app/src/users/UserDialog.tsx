import { Checkbox, Group, Modal, MultiSelect, NumberInput, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormFooter, useSubmit } from '../shell/Form';
import { changeUser, createUser, type User } from './users';
import { passwordHint } from '../session/passwordHint';
import { allPermissions } from '../session/session';

/** Creates a user. */
export function NewUserDialog({ roleNames, onClose, onDone }: { roleNames: string[]; onClose: () => void; onDone: (user: User) => void }) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [permissions, setPermissions] = useState<string[]>(['read']);
  const [roles, setRoles] = useState<string[]>([]);
  const [admin, setAdmin] = useState(false);
  const [limit, setLimit] = useState<number | string>('');
  const { problem, busy, submit } = useSubmit(async () => {
    const ordered = allPermissions.filter((p) => permissions.includes(p));
    onDone(
      await createUser({
        username,
        password,
        permissions: [...ordered],
        roles,
        admin,
        ...(typeof limit === 'number' ? { rate_limit: limit } : {}),
      }),
    );
  });

  return (
    <Modal opened onClose={onClose} title="New user" closeOnClickOutside={false}>
      <form onSubmit={submit} autoComplete="off">
        <Stack gap="sm">
          <TextInput
            label="User name"
            required
            withAsterisk={false}
            maxLength={64}
            autoCapitalize="none"
            spellCheck={false}
            value={username}
            onChange={(e) => setUsername(e.currentTarget.value)}
            error={problem?.field('username')}
            data-autofocus
          />
          <PasswordInput
            label="Password"
            description={`${passwordHint}; the user can change it`}
            required
            withAsterisk={false}
            minLength={12}
            autoComplete="new-password"
            value={password}
            onChange={(e) => setPassword(e.currentTarget.value)}
            error={problem?.field('password')}
          />
          <Checkbox.Group label="Permissions" description="For everything" value={permissions} onChange={setPermissions}>
            <Group mt={6}>
              {allPermissions.map((p) => (
                <Checkbox key={p} value={p} label={p} />
              ))}
            </Group>
          </Checkbox.Group>
          {roleNames.length > 0 && (
            <MultiSelect
              label="Roles"
              description="For parts of the graph"
              data={roleNames}
              value={roles}
              onChange={setRoles}
              searchable
              error={problem?.field('roles')}
            />
          )}
          <Checkbox
            label="Administrator: may use the pages of the administration"
            checked={admin}
            onChange={(e) => setAdmin(e.currentTarget.checked)}
          />
          <NumberInput
            label="Request limit"
            description="Requests per period; empty for the default"
            min={1}
            allowDecimal={false}
            thousandSeparator=","
            value={limit}
            onChange={setLimit}
            error={problem?.field('rate_limit')}
          />
          <FormFooter label="Create user" error={problem?.details.length === 0 ? problem.text : null} busy={busy} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}

/** Sets a new password, which ends all sessions of the user. */
export function ResetPasswordDialog({ user, onClose, onDone }: { user: User; onClose: () => void; onDone: (user: User) => void }) {
  const [password, setPassword] = useState('');
  const { problem, busy, submit } = useSubmit(async () => onDone(await changeUser(user.username, { password })));

  return (
    <Modal opened onClose={onClose} title={`New password for ${user.username}`}>
      <form onSubmit={submit} autoComplete="off">
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            All sessions of this user end.
          </Text>
          <PasswordInput
            label="New password"
            description={passwordHint}
            required
            withAsterisk={false}
            minLength={12}
            autoComplete="new-password"
            value={password}
            onChange={(e) => setPassword(e.currentTarget.value)}
            error={problem?.field('password') ?? (problem && problem.details.length === 0 ? problem.text : undefined)}
            data-autofocus
          />
          <FormFooter label="Set password" busy={busy} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}

/** Sets how many requests a user may make in a period. */
export function LimitDialog({ user, onClose, onDone }: { user: User; onClose: () => void; onDone: (user: User) => void }) {
  const [limit, setLimit] = useState<number | string>(user.rate_limit ?? '');
  const { problem, busy, submit } = useSubmit(async () =>
    onDone(await changeUser(user.username, { rate_limit: typeof limit === 'number' ? limit : null })),
  );

  return (
    <Modal opened onClose={onClose} title={`Request limit of ${user.username}`}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <NumberInput
            label="Request limit"
            description="Requests per period; empty for the default"
            min={1}
            allowDecimal={false}
            thousandSeparator=","
            value={limit}
            onChange={setLimit}
            error={problem?.field('rate_limit') ?? problem?.text}
            data-autofocus
          />
          <FormFooter label="Save" busy={busy} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
