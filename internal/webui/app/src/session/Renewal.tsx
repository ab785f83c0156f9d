// Warns before the token expires. Afterwards shows a login dialog over the page, which keeps its state.
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { Clock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { proposal } from '../changesets/proposal';
import { session, useSession } from './session';
import { LoginChoices } from './Login';

const warningPeriod = 5 * 60_000; // milliseconds before the end

/** Milliseconds until a time. Updates every second in the last minutes, less often before. */
function useTimeLeft(until: number): number {
  const [now, setNow] = useState(Date.now());
  const left = until - now;
  useEffect(() => {
    const pause = left > warningPeriod + 1000 ? Math.min(left - warningPeriod, 60_000) : 1000;
    const timer = setTimeout(() => setNow(Date.now()), pause);
    return () => clearTimeout(timer);
  }, [now, left]);
  return left;
}

export function Renewal() {
  const { status, account, expiresAt, notice } = useSession();
  const [requested, setRequested] = useState(false);
  const left = useTimeLeft(expiresAt);
  useEffect(() => setRequested(false), [expiresAt]); // another tab may have logged in
  const ended = status === 'ended' || (status === 'in' && left <= 0);
  const open = ended || requested;
  const username = account?.username ?? '';

  return (
    <>
      {status === 'in' && left > 0 && left < warningPeriod && !requested && (
        <Alert
          icon={<Clock size={18} />}
          color="yellow"
          role="status"
          className="expiry"
          variant="light"
          pos="fixed"
          bottom={16}
          left={16}
          style={{ zIndex: 250, maxWidth: 360, background: 'var(--surface)', boxShadow: '0 6px 24px rgb(0 0 0 / 18%)' }}
        >
          <Group justify="space-between" gap="sm" wrap="nowrap">
            <Text size="sm">Your session ends in {formatMinutes(left)}.</Text>
            <Button size="compact-sm" onClick={() => setRequested(true)}>
              Log in again
            </Button>
          </Group>
        </Alert>
      )}
      <Modal
        opened={open}
        onClose={() => setRequested(false)}
        withCloseButton={!ended}
        closeOnClickOutside={false}
        closeOnEscape={!ended}
        title="Log in again"
        zIndex={400}
        size="sm"
      >
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {ended
              ? `${notice || 'Your session has expired.'} Your unsaved changes are kept; log in to continue.`
              : 'Log in again to stay logged in.'}
          </Text>
          {open && (
            <LoginChoices
              username={username}
              label="Continue"
              singleSignOn={() => session.renewBySingleSignOn()}
              onDone={() => setRequested(false)}
            />
          )}
          {ended && (
            <Button
              variant="subtle"
              color="gray"
              onClick={() => {
                proposal.clear();
                session.clear('');
              }}
            >
              Log out and discard unsaved changes
            </Button>
          )}
        </Stack>
      </Modal>
    </>
  );
}

function formatMinutes(left: number): string {
  const seconds = Math.max(0, Math.round(left / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
