import { Button, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Key, KeyRound, LogOut } from 'lucide-react';
import { Suspense, useState } from 'react';
import { onDemand } from '../api/onDemand';
import { useRateLimit } from '../api/rate';
import { proposal, useProposal } from '../changesets/proposal';
import { PasswordDialog } from '../session/PasswordDialog';
import { session, useSession } from '../session/session';
import { viewAs } from '../session/viewAs';
import { listPersonalTokens, personalTokensKey } from '../tokens/personalTokens';
import { expiryNote } from '../tokens/tokens';
import { escapeInvisible, formatCount, pluralize } from '../values/text';

const PersonalTokensDialog = onDemand(() => import('../tokens/PersonalTokensDialog'));

/** How many of the user's personal tokens end soon or have ended, in words; it is asked for when the menu is opened. */
function useTokenWarning(isOpened: boolean): string {
  const tokens = useQuery({ queryKey: personalTokensKey(), queryFn: () => listPersonalTokens(), enabled: isOpened && !viewAs });
  const now = Date.now();
  const marked = (tokens.data ?? []).filter((token) => expiryNote(token.expires_at, now) !== '').length;
  return marked === 0 ? '' : `${pluralize(marked, 'token')} expired or about to`;
}

export function UserMenu() {
  const { account: me } = useSession();
  const rate = useRateLimit();
  const { items } = useProposal();
  const [opened, setOpened] = useState(false);
  const [dialog, setDialog] = useState<'password' | 'tokens' | null>(null);
  const warning = useTokenWarning(opened);
  if (!me) return null;
  const permissions = [...me.permissions, ...(me.admin ? ['admin'] : [])].join(', ');
  return (
    <>
      <Menu position="bottom-end" width={250} opened={opened} onChange={setOpened}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            rightSection={<ChevronDown size={14} aria-hidden />}
            styles={{ label: { maxWidth: '9rem' } }}
            style={{ flex: 'none' }}
          >
            {me.username}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Permissions: {permissions || 'none'}</Menu.Label>
          {me.roles.length > 0 && (
            <Menu.Label style={{ overflowWrap: 'anywhere' }}>Roles: {me.roles.map(escapeInvisible).join(', ')}</Menu.Label>
          )}
          {rate && (
            <Text size="xs" c="dimmed" px="sm" pb={6}>
              {formatCount(rate.remaining)} of {formatCount(rate.limit)} requests left
            </Text>
          )}
          <Menu.Divider />
          {!viewAs && (
            <>
              <Menu.Item leftSection={<Key size={16} />} onClick={() => setDialog('tokens')}>
                Personal tokens
                {warning && (
                  <Text size="xs" c="dimmed">
                    {warning}
                  </Text>
                )}
              </Menu.Item>
              <Menu.Item leftSection={<KeyRound size={16} />} onClick={() => setDialog('password')}>
                Change password
              </Menu.Item>
            </>
          )}
          <Menu.Item
            leftSection={<LogOut size={16} />}
            onClick={() => {
              proposal.clear();
              void session.logout();
            }}
          >
            {items.length > 0 ? `Log out and discard ${pluralize(items.length, 'operation')}` : 'Log out'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <PasswordDialog opened={dialog === 'password'} onClose={() => setDialog(null)} />
      <Suspense>{dialog === 'tokens' && <PersonalTokensDialog onClose={() => setDialog(null)} />}</Suspense>
    </>
  );
}
