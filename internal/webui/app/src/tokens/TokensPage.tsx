import { Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../session/session';
import { ConfirmDialog } from '../shell/ConfirmDialog';
import { GridTable } from '../shell/GridTable';
import { RefreshButton } from '../shell/RefreshButton';
import { RowAction } from '../shell/RowAction';
import { SecretDialog } from '../shell/SecretDialog';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { notify } from '../shell/notify';
import { escapeInvisible, formatCount, pluralize } from '../values/text';
import { NewTokenDialog } from './NewTokenDialog';
import { DateCell, ExpiryCell, LastUsedCell, muted } from './TokenCells';
import { listTokens, revokeToken, type CreatedServiceToken, type ServiceToken } from './tokens';

/** The service tokens, for administrators. */
export default function TokensPage() {
  const queries = useQueryClient();
  const { me } = useSession();
  const list = useQuery({ queryKey: ['tokens'], queryFn: listTokens });
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedServiceToken | null>(null);
  const [revoking, setRevoking] = useState<ServiceToken | null>(null);
  if (list.isPending) return <Loading subject="the service tokens" />;
  if (list.isLoadingError) return <LoadError error={list.error} subject="the service tokens" retry={() => void list.refetch()} />;
  const { tokens, more } = list.data;
  const reload = () => void queries.invalidateQueries({ queryKey: ['tokens'] });

  const button = (
    <Button size="xs" leftSection={<Plus size={15} />} onClick={() => setCreating(true)}>
      New token
    </Button>
  );
  return (
    <div className="page">
      <div className="page-inner">
        <Group mb="md">
          <h1 style={{ margin: 0, fontSize: '1.2rem' }}>Service tokens</h1>
          <Text size="sm" c="dimmed">
            {pluralize(tokens.length, 'token')}
            {more ? ', and more' : ''}
          </Text>
          <span className="spacer" />
          <RefreshButton keys={['tokens']} />
          {tokens.length > 0 && button}
        </Group>
        {tokens.length === 0 ? (
          <EmptyState icon={KeyRound} title="No service tokens" action={button}>
            A service token is the credential of a program. It has its own permissions, roles and expiry, and ends when it is revoked.
          </EmptyState>
        ) : (
          <TokenTable tokens={tokens} onRevoke={setRevoking} />
        )}
      </div>
      {creating && me && (
        <NewTokenDialog
          me={me}
          onClose={() => setCreating(false)}
          onDone={(token) => {
            setCreating(false);
            setCreated(token);
            reload();
          }}
        />
      )}
      {created && (
        <SecretDialog title={`Token ${escapeInvisible(created.name)} created`} secret={created.secret} onClose={() => setCreated(null)}>
          The program sends it as <code>Authorization: Bearer</code> and the secret.
        </SecretDialog>
      )}
      {revoking && (
        <ConfirmDialog
          title="Revoke this token?"
          label="Revoke token"
          onClose={() => setRevoking(null)}
          run={async () => {
            await revokeToken(revoking.id);
            reload();
            setRevoking(null);
            notify(escapeInvisible(revoking.name), 'Token revoked');
          }}
        >
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            Programs that use <strong>{escapeInvisible(revoking.name)}</strong> are refused from now on. A revoked token cannot be restored.
            What it created is kept.
          </Text>
        </ConfirmDialog>
      )}
    </div>
  );
}

function TokenTable({ tokens, onRevoke }: { tokens: ServiceToken[]; onRevoke: (token: ServiceToken) => void }) {
  const now = Date.now();
  return (
    <GridTable
      label="All service tokens"
      head={
        <>
          <th>Name</th>
          <th>Made by</th>
          <th>Permissions</th>
          <th>Roles</th>
          <th>Created</th>
          <th>Expires</th>
          <th>Last used</th>
          <th className="right">Request limit</th>
          <th aria-label="Revoke" />
        </>
      }
    >
      {tokens.map((token) => (
        <TokenRow key={token.id} token={token} now={now} onRevoke={() => onRevoke(token)} />
      ))}
    </GridTable>
  );
}

function TokenRow({ token, now, onRevoke }: { token: ServiceToken; now: number; onRevoke: () => void }) {
  const name = escapeInvisible(token.name);
  return (
    <tr>
      <td style={{ fontWeight: 550 }}>{name}</td>
      <td>{token.created_by === null ? <span style={muted}>command line</span> : escapeInvisible(token.created_by)}</td>
      <td>{token.permissions.length > 0 ? token.permissions.join(', ') : <span style={muted}>none</span>}</td>
      <td>{token.roles.length > 0 ? token.roles.map(escapeInvisible).join(', ') : <span style={muted}>none</span>}</td>
      <DateCell time={token.created_at} />
      <ExpiryCell expiresAt={token.expires_at} now={now} />
      <LastUsedCell time={token.last_used_at} />
      <td className="right">{token.rate_limit === null ? <span style={muted}>default</span> : formatCount(token.rate_limit)}</td>
      <td className="right">
        <RowAction label="Revoke" name={`Revoke ${name}`} icon={Trash2} onClick={onRevoke} />
      </td>
    </tr>
  );
}
