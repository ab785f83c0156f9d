import { Modal, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { answer, client } from '../api/client';
import { FormEnd, useSubmit } from '../shell/Form';
import { tell } from '../shell/tell';
import { session, useSession } from './session';

/** Changes the user's own password, which ends all of their sessions, and begins a new one here. */
export function PasswordDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { me } = useSession();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const { problem, busy, submit, forget } = useSubmit(async () => {
    await answer(client.PUT('/api/auth/password', { body: { current_password: current, new_password: next } }));
    await session.login(me?.username ?? '', next);
    tell('Other sessions of yours have ended.', 'Password changed');
    close();
  });

  function close() {
    setCurrent('');
    setNext('');
    setAgain('');
    forget();
    onClose();
  }

  const differ = again !== '' && again !== next ? 'The two are not the same' : undefined;
  return (
    <Modal opened={opened} onClose={close} title="Change password" size="sm">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <input type="text" name="username" autoComplete="username" value={me?.username ?? ''} readOnly hidden />
          <PasswordInput label="Current password" autoComplete="current-password" required withAsterisk={false} value={current} onChange={(e) => setCurrent(e.currentTarget.value)} error={problem?.field('current_password')} data-autofocus />
          <PasswordInput label="New password" description="12 characters at least" autoComplete="new-password" required withAsterisk={false} minLength={12} value={next} onChange={(e) => setNext(e.currentTarget.value)} error={problem?.field('new_password')} />
          <PasswordInput label="New password again" autoComplete="new-password" required withAsterisk={false} value={again} onChange={(e) => setAgain(e.currentTarget.value)} error={differ} />
          <FormEnd label="Change password" refusal={problem?.details.length === 0 ? problem.text : null} busy={busy} disabled={differ !== undefined || again === ''} onCancel={close} />
        </Stack>
      </form>
    </Modal>
  );
}
