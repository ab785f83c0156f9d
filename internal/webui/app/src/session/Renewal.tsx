// Before a token expires: a warning. After it: a login over the page, which stays as it is.
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { Clock } from 'lucide-react';
import { useEffect, useState } from 'react';
import { session, useSession } from './session';
import { SignInForm } from './SignIn';

const warning = 5 * 60_000; // milliseconds before the end

/** Milliseconds until a moment, kept current; only the last minutes are counted by the second. */
function useLeft(until: number): number {
  const [now, setNow] = useState(Date.now());
  const left = until - now;
  useEffect(() => {
    const pause = left > warning + 1000 ? Math.min(left - warning, 60_000) : 1000;
    const timer = setTimeout(() => setNow(Date.now()), pause);
    return () => clearTimeout(timer);
  }, [now, left]);
  return left;
}

export function Renewal() {
  const { status, me, expiresAt, notice } = useSession();
  const [asked, setAsked] = useState(false);
  const left = useLeft(expiresAt);
  const ended = status === 'ended' || (status === 'in' && left <= 0);
  const open = ended || asked;
  const username = me?.username ?? '';

  return (
    <>
      {status === 'in' && left > 0 && left < warning && !asked && (
        <Alert icon={<Clock size={18} />} color="yellow" role="status" className="expiry" variant="light" pos="fixed" bottom={16} left={16} style={{ zIndex: 250, maxWidth: 360, background: 'var(--surface)', boxShadow: '0 6px 24px rgb(0 0 0 / 18%)' }}>
          <Group justify="space-between" gap="sm" wrap="nowrap">
            <Text size="sm">Your session ends in {minutes(left)}.</Text>
            <Button size="compact-sm" onClick={() => setAsked(true)}>
              Log in again
            </Button>
          </Group>
        </Alert>
      )}
      <Modal opened={open} onClose={() => setAsked(false)} withCloseButton={!ended} closeOnClickOutside={false} closeOnEscape={!ended} title="Log in again" zIndex={400} size="sm">
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {ended ? `${notice || 'Your session has expired.'} What you were doing is still here and goes on after you log in.` : 'Give your password to stay logged in for another session.'}
          </Text>
          {open && <SignInForm username={username} label="Continue" onDone={() => setAsked(false)} />}
          {ended && (
            <Button variant="subtle" color="gray" onClick={() => session.forget('')}>
              Leave and lose unsaved changes
            </Button>
          )}
        </Stack>
      </Modal>
    </>
  );
}

function minutes(left: number): string {
  const seconds = Math.max(0, Math.round(left / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
