import { Button, Group, Modal, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ConfirmDialog } from '../shell/ConfirmDialog';
import { GridTable } from '../shell/GridTable';
import { RowAction } from '../shell/RowAction';
import { SecretDialog } from '../shell/SecretDialog';
import { LoadError, Loading } from '../shell/States';
import { notify } from '../shell/notify';
import { escapeInvisible, pluralize } from '../values/text';
import { NewPersonalToken } from './NewPersonalToken';
import {
  listPersonalTokens,
  personalTokensKey,
  revokePersonalToken,
  rightsText,
  type CreatedPersonalToken,
  type PersonalToken,
} from './personalTokens';
import { DateCell, ExpiryCell, LastUsedCell } from './TokenCells';

interface Props {
  /** Whose tokens an administrator looks at; without it they are the own ones, and can be made. */
  username?: string;
  onClose: () => void;
}

/** The most tokens that a user may have. */
const maxTokens = 20;

type Step = { show: 'list' } | { show: 'new' } | { show: 'secret'; token: CreatedPersonalToken } | { show: 'revoke'; token: PersonalToken };

/** The personal tokens of a user. One dialog is open at a time: the list, the form, the secret or the question before a revocation. */
export default function PersonalTokensDialog({ username, onClose }: Props) {
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>({ show: 'list' });
  const list = () => {
    void queries.invalidateQueries({ queryKey: personalTokensKey(username) });
    setStep({ show: 'list' });
  };
  if (step.show === 'new')
    return <NewPersonalToken onClose={() => setStep({ show: 'list' })} onDone={(token) => setStep({ show: 'secret', token })} />;
  if (step.show === 'secret')
    return (
      <SecretDialog title={`Token ${escapeInvisible(step.token.name)} created`} secret={step.token.secret} onClose={list}>
        A program that sends it as <code>Authorization: Bearer</code> and the secret acts as you.
      </SecretDialog>
    );
  if (step.show === 'revoke')
    return (
      <ConfirmDialog
        title="Revoke this token?"
        label="Revoke token"
        onClose={() => setStep({ show: 'list' })}
        run={async () => {
          await revokePersonalToken(step.token.id, username);
          notify(escapeInvisible(step.token.name), 'Token revoked');
          list();
        }}
      >
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Programs that use <strong>{escapeInvisible(step.token.name)}</strong> are refused from now on. A revoked token cannot be restored.
        </Text>
      </ConfirmDialog>
    );
  return (
    <TokenList
      username={username}
      onClose={onClose}
      onNew={() => setStep({ show: 'new' })}
      onRevoke={(token) => setStep({ show: 'revoke', token })}
    />
  );
}

interface ListProps extends Props {
  onNew: () => void;
  onRevoke: (token: PersonalToken) => void;
}

function TokenList({ username, onClose, onNew, onRevoke }: ListProps) {
  const { data, isPending, isError, error, refetch } = useQuery({
    queryKey: personalTokensKey(username),
    queryFn: () => listPersonalTokens(username),
    staleTime: 0,
  });
  const isFull = (data?.length ?? 0) >= maxTokens;
  return (
    <Modal
      opened
      onClose={onClose}
      title={username === undefined ? 'Your personal tokens' : `Personal tokens of ${escapeInvisible(username)}`}
      size="min(900px, 96vw)"
    >
      <Text size="sm" c="dimmed" mb="sm">
        A program that has a personal token acts as its user, with the rights of that user or a part of them. All end when the password is
        changed or the user is disabled.
      </Text>
      {isPending && <Loading subject="the personal tokens" />}
      {isError && <LoadError error={error} subject="the personal tokens" retry={() => void refetch()} />}
      {data?.length === 0 && <Text size="sm">No personal tokens</Text>}
      {data && data.length > 0 && <TokenTable tokens={data} onRevoke={onRevoke} />}
      <Group mt="md">
        <Text size="sm" c="dimmed">
          {data && data.length > 0 && pluralize(data.length, 'token')}
          {isFull && ', as many as a user may have'}
        </Text>
        <span className="spacer" />
        {username === undefined && (
          <Button variant="default" leftSection={<Plus size={15} aria-hidden />} disabled={!data || isFull} onClick={onNew}>
            New token
          </Button>
        )}
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      </Group>
    </Modal>
  );
}

function TokenTable({ tokens, onRevoke }: { tokens: PersonalToken[]; onRevoke: (token: PersonalToken) => void }) {
  const now = Date.now();
  return (
    <GridTable
      label="Personal tokens"
      head={
        <>
          <th>Name</th>
          <th>Rights</th>
          <th>Created</th>
          <th>Expires</th>
          <th>Last used</th>
          <th aria-label="Revoke" />
        </>
      }
    >
      {tokens.map((token) => (
        <tr key={token.id}>
          <td style={{ fontWeight: 550, overflowWrap: 'anywhere' }}>{escapeInvisible(token.name)}</td>
          <td>{escapeInvisible(rightsText(token))}</td>
          <DateCell time={token.created_at} />
          <ExpiryCell expiresAt={token.expires_at} now={now} />
          <LastUsedCell time={token.last_used_at} />
          <td className="right">
            <RowAction label="Revoke" name={`Revoke ${escapeInvisible(token.name)}`} icon={Trash2} onClick={() => onRevoke(token)} />
          </td>
        </tr>
      ))}
    </GridTable>
  );
}
