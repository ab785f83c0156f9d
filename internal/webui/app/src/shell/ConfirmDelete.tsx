import { Button, Group, Modal, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { asProblem, type Problem } from '../api/problem';

interface Props {
  title: string;
  /** What goes, and what goes with it. */
  children: ReactNode;
  label: string;
  /** While it is not known yet what would go. */
  loading?: boolean;
  run: () => Promise<void>;
  /** A better text for a refusal, where there is one. */
  messageFor?: (problem: Problem) => string;
  onClose: () => void;
}

/** Asks before something is deleted, and shows why it could not be. */
export function ConfirmDelete({ title, children, label, loading = false, run, messageFor = (problem) => problem.text, onClose }: Props) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');

  async function confirm() {
    setBusy(true);
    setError('');
    try {
      await run();
    } catch (problem) {
      setError(messageFor(asProblem(problem)));
      setBusy(false);
    }
  }

  return (
    <Modal opened onClose={onClose} title={title}>
      {children}
      {error && (
        <Text size="sm" c="red" mt="xs" role="alert">
          {error}
        </Text>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red.8" loading={busy} disabled={loading} onClick={() => void confirm()}>
          {label}
        </Button>
      </Group>
    </Modal>
  );
}
