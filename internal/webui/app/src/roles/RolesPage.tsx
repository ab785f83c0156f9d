import { Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Eye, Pencil, Plus, Trash2, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { mayViewAs, useSession } from '../session/session';
import { viewAsPath } from '../session/viewAs';
import { GridTable } from '../shell/GridTable';
import { RefreshButton } from '../shell/RefreshButton';
import { RowAction } from '../shell/RowAction';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { notify } from '../shell/notify';
import { listUsers } from '../users/users';
import { escapeInvisible, formatCount, formatTime, pluralize } from '../values/text';
import { DeleteRoleDialog } from './DeleteRoleDialog';
import { RoleDialog } from './RoleDialog';
import { grantText, listRoles, queriesText, type Role } from './roles';

/** The roles, for administrators. The URL names the role that is edited, so that other pages can link to it. */
export default function RolesPage() {
  const queries = useQueryClient();
  const [params, setParams] = useSearchParams();
  const list = useQuery({ queryKey: ['roles'], queryFn: listRoles });
  const users = useQuery({ queryKey: ['users'], queryFn: listUsers });
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<Role | null>(null);
  if (list.isPending) return <Loading subject="the roles" />;
  if (list.isLoadingError) return <LoadError error={list.error} subject="the roles" retry={() => void list.refetch()} />;
  const { roles, more } = list.data;
  const editing = roles.find((role) => role.name === params.get('role'));

  function finish(title: string, name: string) {
    for (const key of ['roles', 'users', 'tokens']) void queries.invalidateQueries({ queryKey: [key] });
    closeEditor();
    setDeleting(null);
    notify(escapeInvisible(name), title);
  }
  function closeEditor() {
    setCreating(false);
    setParams({}, { replace: true });
  }
  const button = (
    <Button size="xs" leftSection={<Plus size={15} />} onClick={() => setCreating(true)}>
      New role
    </Button>
  );
  return (
    <div className="page">
      <div className="page-inner">
        <Group mb="md">
          <h1 style={{ margin: 0, fontSize: '1.2rem' }}>Roles</h1>
          <Text size="sm" c="dimmed">
            {pluralize(roles.length, 'role')}
            {more ? ', and more' : ''}
          </Text>
          <span className="spacer" />
          <RefreshButton keys={['roles', 'users']} />
          {roles.length > 0 && button}
        </Group>
        {roles.length === 0 ? (
          <EmptyState icon={UsersRound} title="No roles" action={button}>
            A role allows actions on parts of the graph: on some types, on entities that meet conditions, without some properties.
            Permissions are for everything; both add up.
          </EmptyState>
        ) : (
          <GridTable
            label="All roles"
            head={
              <>
                <th>Name</th>
                <th>Description</th>
                <th className="right">Grants</th>
                <th>For</th>
                <th className="right">Users</th>
                <th>Changed</th>
                <th aria-label="Actions" />
              </>
            }
          >
            {roles.map((role) => (
              <RoleRow
                key={role.name}
                role={role}
                users={users.data && !users.data.more ? users.data.users.filter((user) => user.roles.includes(role.name)).length : null}
                onEdit={() => setParams({ role: role.name })}
                onDelete={() => setDeleting(role)}
              />
            ))}
          </GridTable>
        )}
      </div>
      {creating && <RoleDialog role={null} onClose={() => setCreating(false)} onDone={(role) => finish('Role created', role.name)} />}
      {editing && <RoleDialog key={editing.name} role={editing} onClose={closeEditor} onDone={(role) => finish('Role saved', role.name)} />}
      {deleting && (
        <DeleteRoleDialog role={deleting} onClose={() => setDeleting(null)} onDone={() => finish('Role deleted', deleting.name)} />
      )}
    </div>
  );
}

const shownTypes = 3;

function RoleRow({ role, users, onEdit, onDelete }: { role: Role; users: number | null; onEdit: () => void; onDelete: () => void }) {
  const name = escapeInvisible(role.name);
  const mayView = mayViewAs(useSession().me);
  const types = [...new Set([...role.grants.map((grant) => `${grant.kind}s: ${grantText(grant)}`), ...queriesText(role.queries)])].map(
    escapeInvisible,
  );
  return (
    <tr>
      <td style={{ fontWeight: 550 }}>{name}</td>
      <td style={{ minWidth: '9rem' }}>{escapeInvisible(role.description)}</td>
      <td className="right">{formatCount(role.grants.length)}</td>
      <td style={{ minWidth: '11rem' }}>
        {types.slice(0, shownTypes).map((type) => (
          <div key={type}>{type}</div>
        ))}
        {types.length > shownTypes && <div className="type-count">and {types.length - shownTypes} more</div>}
      </td>
      <td className="right">{users === null ? '' : formatCount(users)}</td>
      <td style={{ whiteSpace: 'nowrap' }} title={formatTime(role.updated_at)}>
        {formatTime(role.updated_at).slice(0, 10)}
      </td>
      <td className="right">
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {mayView && (
            <RowAction label="View as this role" name={`View as ${name}`} icon={Eye} href={viewAsPath({ kind: 'role', name: role.name })} />
          )}
          <RowAction label="Edit" name={`Edit ${name}`} icon={Pencil} onClick={onEdit} />
          <RowAction label="Delete" name={`Delete ${name}`} icon={Trash2} onClick={onDelete} />
        </Group>
      </td>
    </tr>
  );
}
