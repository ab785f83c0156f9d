import { ActionIcon, Badge, Button, Checkbox, Group, Menu, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { EllipsisVertical, Plus, Search } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { onDemand } from '../api/onDemand';
import { explainPath } from '../explain/explain';
import { effectiveRights, listRoles, type Role } from '../roles/roles';
import { allPermissions, mayViewAs, useSession, type Permission } from '../session/session';
import { viewAsPath } from '../session/viewAs';
import { ConfirmDialog } from '../shell/ConfirmDialog';
import { GridTable } from '../shell/GridTable';
import { RefreshButton } from '../shell/RefreshButton';
import { LoadError, Loading } from '../shell/States';
import { notify } from '../shell/notify';
import { formatCount, formatTime, pluralize, escapeInvisible } from '../values/text';
import { AccessDialog } from './AccessDialog';
import { RightsDialog, type RightsChange } from './RightsDialog';
import { LimitDialog, NewUserDialog, ResetPasswordDialog } from './UserDialog';
import { deleteUser, lastLogins, listUsers, type User } from './users';

const PersonalTokensDialog = onDemand(() => import('../tokens/PersonalTokensDialog'));

type UserDialogName = 'access' | 'tokens' | 'reset' | 'limit' | 'delete';
type Open = { dialog: 'new' } | { dialog: UserDialogName; user: User } | { dialog: 'rights'; user: User; change: RightsChange } | null;

/** The users: one row for each user, one column for each permission. */
export default function UsersPage() {
  const queries = useQueryClient();
  const list = useQuery({ queryKey: ['users'], queryFn: listUsers });
  const roleList = useQuery({ queryKey: ['roles'], queryFn: listRoles });
  const roles = roleList.data?.roles ?? [];
  const logins = useQuery({ queryKey: ['logins'], queryFn: ({ signal }) => lastLogins(signal) });
  const [filter, setFilter] = useState('');
  const [open, setOpen] = useState<Open>(null);

  if (list.isPending) return <Loading subject="the users" />;
  if (list.isLoadingError) return <LoadError error={list.error} subject="the users" retry={() => void list.refetch()} />;
  const wanted = filter.trim().toLowerCase();
  const shown = list.data.users.filter((u) => u.username.toLowerCase().includes(wanted));

  function updateCache(user: User) {
    queries.setQueryData<{ users: User[]; more: boolean }>(['users'], (old) => {
      const others = old?.users.filter((u) => u.id !== user.id) ?? [];
      return { more: old?.more ?? false, users: [...others, user].sort((a, b) => (a.username < b.username ? -1 : 1)) };
    });
  }
  const finishWith = (title: string) => (user: User) => {
    updateCache(user);
    setOpen(null);
    notify(user.username, title);
  };

  function finishDeletion(user: User) {
    queries.setQueryData<{ users: User[]; more: boolean }>(
      ['users'],
      (old) => old && { ...old, users: old.users.filter((u) => u.id !== user.id) },
    );
    setOpen(null);
    notify(user.username, 'User deleted');
  }

  return (
    <div className="page">
      <div className="page-inner">
        <Group mb="md">
          <h1 style={{ margin: 0, fontSize: '1.2rem' }}>Users</h1>
          <Text size="sm" c="dimmed">
            {pluralize(list.data.users.length, 'user')}
            {list.data.more ? ', and more' : ''}
          </Text>
          <span className="spacer" />
          <TextInput
            size="xs"
            placeholder="Filter by name"
            aria-label="Filter by name"
            leftSection={<Search size={14} />}
            value={filter}
            onChange={(e) => setFilter(e.currentTarget.value)}
          />
          <RefreshButton keys={['users', 'roles', 'logins']} />
          <Button size="xs" leftSection={<Plus size={15} />} onClick={() => setOpen({ dialog: 'new' })}>
            New user
          </Button>
        </Group>
        <GridTable
          label="Users and permissions"
          head={
            <>
              <th>User</th>
              {allPermissions.map((p) => (
                <th key={p}>{p}</th>
              ))}
              <th>admin</th>
              <th>Roles</th>
              <th className="right">Request limit</th>
              <th>Created</th>
              <th title="As far as it is among the newest logins of the audit">Last login</th>
              <th aria-label="More" />
            </>
          }
        >
          {shown.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              roles={roles}
              lastLogin={logins.data?.get(user.username)}
              onOpen={(dialog) => setOpen({ dialog, user })}
              onRights={(change) => setOpen({ dialog: 'rights', user, change })}
            />
          ))}
        </GridTable>
        {shown.length === 0 && (
          <Text size="sm" c="dimmed" p="md">
            No matching users.
          </Text>
        )}
        <Text size="xs" c="dimmed" mt="sm">
          A permission is for everything; in part: roles allow it for parts of the graph. admin allows the pages of the administration and
          gives no right to data. Changes take effect immediately.
        </Text>
      </div>
      <UserDialogs open={open} roles={roles} onClose={() => setOpen(null)} finishWith={finishWith} onDeleted={finishDeletion} />
    </div>
  );
}

interface DialogsProps {
  open: Open;
  roles: Role[];
  onClose: () => void;
  /** What is done after a user was created or changed; the title is that of the notification. */
  finishWith: (title: string) => (user: User) => void;
  onDeleted: (user: User) => void;
}

function UserDialogs({ open, roles, onClose, finishWith, onDeleted }: DialogsProps) {
  return (
    <>
      {open?.dialog === 'new' && (
        <NewUserDialog roleNames={roles.map((role) => role.name)} onClose={onClose} onDone={finishWith('User created')} />
      )}
      {open?.dialog === 'access' && (
        <AccessDialog user={open.user} roles={roles} onClose={onClose} onDone={finishWith('Roles and attributes saved')} />
      )}
      <Suspense>{open?.dialog === 'tokens' && <PersonalTokensDialog username={open.user.username} onClose={onClose} />}</Suspense>
      {open?.dialog === 'rights' && (
        <RightsDialog user={open.user} change={open.change} onClose={onClose} onDone={finishWith('Rights changed')} />
      )}
      {open?.dialog === 'reset' && <ResetPasswordDialog user={open.user} onClose={onClose} onDone={finishWith('Password set')} />}
      {open?.dialog === 'limit' && <LimitDialog user={open.user} onClose={onClose} onDone={finishWith('Limit set')} />}
      {open?.dialog === 'delete' && <DeleteUserDialog user={open.user} onClose={onClose} onDone={() => onDeleted(open.user)} />}
    </>
  );
}

interface RowProps {
  user: User;
  roles: Role[];
  lastLogin: string | undefined;
  onOpen: (dialog: UserDialogName) => void;
  /** Asks before the rights change. */
  onRights: (change: RightsChange) => void;
}

function UserRow({ user, roles, lastLogin, onOpen, onRights }: RowProps) {
  const { me } = useSession();
  const name = escapeInvisible(user.username);
  const rights = effectiveRights(
    [],
    roles.filter((role) => user.roles.includes(role.name)),
  );
  const inPart = (p: Permission) => !user.permissions.includes(p) && rights.some((right) => right.action === p && right.grants.length > 0);
  return (
    <tr style={{ color: user.disabled ? 'var(--muted)' : undefined }}>
      <td style={{ fontWeight: 550 }}>
        {name}
        {user.id === me?.id && (
          <Text span size="xs" c="dimmed" ml={6}>
            you
          </Text>
        )}
        {user.disabled && (
          <Badge ml={8} tt="none" size="sm" radius="sm" variant="default">
            disabled
          </Badge>
        )}
      </td>
      {allPermissions.map((p) => (
        <td key={p}>
          <Checkbox
            aria-label={`${name}: ${p}`}
            checked={user.permissions.includes(p)}
            onChange={() => onRights({ right: p, give: !user.permissions.includes(p) })}
          />
          {inPart(p) && (
            <div className="type-count" style={{ whiteSpace: 'nowrap' }}>
              in part
            </div>
          )}
        </td>
      ))}
      <td>
        <Checkbox aria-label={`${name}: admin`} checked={user.admin} onChange={() => onRights({ right: 'admin', give: !user.admin })} />
      </td>
      <td style={{ minWidth: '7rem' }}>{user.roles.map(escapeInvisible).join(', ')}</td>
      <td className="right">
        {user.rate_limit === null ? <span style={{ color: 'var(--muted)' }}>default</span> : formatCount(user.rate_limit)}
      </td>
      <td style={{ whiteSpace: 'nowrap' }}>{user.created_at.slice(0, 10)}</td>
      <td style={{ whiteSpace: 'nowrap' }}>{lastLogin && lastLogin >= user.created_at && formatTime(lastLogin)}</td>
      <td className="right">
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={`More for ${name}`}>
              <EllipsisVertical size={17} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onOpen('access')}>Roles and attributes</Menu.Item>
            {mayViewAs(me) && !user.disabled && (
              <Menu.Item component="a" href={viewAsPath({ kind: 'user', name: user.username })}>
                View as
              </Menu.Item>
            )}
            <Menu.Item component={Link} to={explainPath({ user: user.username })}>
              Explain a decision
            </Menu.Item>
            <Menu.Item onClick={() => onOpen('tokens')}>Personal tokens</Menu.Item>
            <Menu.Item onClick={() => onOpen('reset')}>Set password</Menu.Item>
            <Menu.Item onClick={() => onOpen('limit')}>Set request limit</Menu.Item>
            <Menu.Item onClick={() => onRights({ disable: !user.disabled })}>{user.disabled ? 'Enable' : 'Disable'}</Menu.Item>
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

function DeleteUserDialog({ user, onClose, onDone }: { user: User; onClose: () => void; onDone: () => void }) {
  return (
    <ConfirmDialog
      title="Delete this user?"
      label="Delete user"
      onClose={onClose}
      run={async () => {
        await deleteUser(user.username);
        onDone();
      }}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <strong>{escapeInvisible(user.username)}</strong> will be deleted, and all sessions of this user end. Nodes and edges that the user
        created are kept.
      </Text>
    </ConfirmDialog>
  );
}
