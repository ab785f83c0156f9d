import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ConfirmDialog } from '../shell/ConfirmDialog';
import { listTokens } from '../tokens/tokens';
import { listUsers } from '../users/users';
import { escapeInvisible } from '../values/text';
import { deleteRole, nameList, type Role } from './roles';

/** Asks before a role is deleted, and names the users and service tokens that lose it. */
export function DeleteRoleDialog({ role, onClose, onDone }: { role: Role; onClose: () => void; onDone: () => void }) {
  const users = useQuery({ queryKey: ['users'], queryFn: listUsers, staleTime: 0 });
  const tokens = useQuery({ queryKey: ['tokens'], queryFn: listTokens, staleTime: 0 });
  const holders = [
    ...(users.data?.users ?? []).filter((user) => user.roles.includes(role.name)).map((user) => user.username),
    ...(tokens.data?.tokens ?? []).filter((token) => token.roles.includes(role.name)).map((token) => `the token ${token.name}`),
  ].map(escapeInvisible);
  const known = users.isSuccess && tokens.isSuccess && !users.data.more && !tokens.data.more;
  const pending = users.isPending || tokens.isPending;
  return (
    <ConfirmDialog
      title="Delete this role?"
      label="Delete role"
      loading={pending}
      onClose={onClose}
      run={async () => {
        await deleteRole(role.name);
        onDone();
      }}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        The role <strong>{escapeInvisible(role.name)}</strong> will be deleted. {pending && 'Looking up who has it…'}
        {!pending && holders.length > 0 && (
          <>
            {known ? '' : 'At least '}
            {nameList(holders)} {holders.length === 1 ? 'loses' : 'lose'} it at once.
          </>
        )}
        {!pending && holders.length === 0 && (known ? 'Nobody has it.' : 'Users who have it lose it at once.')}
      </Text>
    </ConfirmDialog>
  );
}
