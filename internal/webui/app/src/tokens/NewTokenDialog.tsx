import { Modal, MultiSelect, NumberInput, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listRoles } from '../roles/roles';
import type { Me, Permission } from '../session/session';
import { FormFooter, useSubmit } from '../shell/Form';
import { ExpiryField, PermissionsField, TokenNameField } from './TokenCells';
import { createToken, expiryDates, grantable, startOfDate, type CreatedServiceToken } from './tokens';

interface Props {
  me: Me;
  onClose: () => void;
  onDone: (token: CreatedServiceToken) => void;
}

/** Creates a service token. It offers only permissions and roles that the service accepts from the user. */
export function NewTokenDialog({ me, onClose, onDone }: Props) {
  const roleList = useQuery({ queryKey: ['roles'], queryFn: listRoles });
  const [dates] = useState(() => expiryDates(new Date()));
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<string[]>([]);
  const [roles, setRoles] = useState<string[]>([]);
  const [expires, setExpires] = useState(dates.preset);
  const [limit, setLimit] = useState<number | string>('');
  const offered = grantable(
    me,
    (roleList.data?.roles ?? []).map((role) => role.name),
  );
  const { problem, busy, submit } = useSubmit(async () => {
    const given = offered.permissions.filter((p: Permission) => permissions.includes(p));
    onDone(
      await createToken({
        name,
        permissions: given,
        roles,
        expires_at: startOfDate(expires),
        ...(typeof limit === 'number' ? { rate_limit: limit } : {}),
      }),
    );
  });
  const fields = ['name', 'permissions', 'roles', 'expires_at', 'rate_limit'];
  const unassigned = problem && !fields.some((field) => problem.field(field));

  return (
    <Modal opened onClose={onClose} title="New service token" closeOnClickOutside={false}>
      <form onSubmit={submit} autoComplete="off">
        <Stack gap="sm">
          <TokenNameField value={name} onChange={setName} error={problem?.field('name')} />
          <PermissionsField
            offered={offered.permissions}
            description="For everything; you can give those that you have"
            value={permissions}
            onChange={setPermissions}
            error={problem?.field('permissions')}
          />
          {offered.roles.length > 0 && (
            <MultiSelect
              label="Roles"
              description="For parts of the graph"
              data={offered.roles}
              value={roles}
              onChange={setRoles}
              searchable
              error={problem?.field('roles')}
            />
          )}
          {permissions.length === 0 && roles.length === 0 && (
            <Text size="xs" c="dimmed">
              Without permissions and roles the token has no right to data.
            </Text>
          )}
          <ExpiryField dates={dates} value={expires} onChange={setExpires} error={problem?.field('expires_at')} />
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
          <FormFooter label="Create token" error={unassigned ? problem.text : null} busy={busy} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
