import { Modal, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { unwrap, client } from '../api/client';
import { FormFooter, useSubmit } from '../shell/Form';
import { notify } from '../shell/notify';
import { session, useSession } from './session';
import { passwordHint } from './passwordHint';

/** Changes the user's own password, which ends all of their sessions, and starts a new one here. */
export function PasswordDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { account } = useSession();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [repeated, setRepeated] = useState('');
  const { problem, busy, submit, clearProblem } = useSubmit(async () => {
    await unwrap(client.PUT('/api/auth/password', { body: { current_password: current, new_password: next } }));
    await session.login(account?.username ?? '', next);
    notify('Your other sessions have ended.', 'Password changed');
    close();
  });

  function close() {
    setCurrent('');
    setNext('');
    setRepeated('');
    clearProblem();
    onClose();
  }

  const mismatch = repeated !== '' && repeated !== next ? 'The passwords differ' : undefined;
  return (
    <Modal opened={opened} onClose={close} title="Change password" size="sm">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <input type="text" name="username" autoComplete="username" value={account?.username ?? ''} readOnly hidden />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={current}
            onChange={(e) => setCurrent(e.currentTarget.value)}
            error={problem?.field('current_password')}
            data-autofocus
          />
          <PasswordInput
            label="New password"
            description={passwordHint}
            autoComplete="new-password"
            required
            withAsterisk={false}
            minLength={12}
            value={next}
            onChange={(e) => setNext(e.currentTarget.value)}
            error={problem?.field('new_password')}
          />
          <PasswordInput
            label="Repeat new password"
            autoComplete="new-password"
            required
            withAsterisk={false}
            value={repeated}
            onChange={(e) => setRepeated(e.currentTarget.value)}
            error={mismatch}
          />
          <FormFooter
            label="Change password"
            error={problem?.details.length === 0 ? problem.text : null}
            busy={busy}
            disabled={mismatch !== undefined || repeated === ''}
            onCancel={close}
          />
        </Stack>
      </form>
    </Modal>
  );
}
