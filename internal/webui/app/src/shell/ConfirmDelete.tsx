import { Button, Group, Modal, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { asProblem, type Problem } from '../api/problem';

interface Props {
  title: string;
  /** What will be deleted. */
  children: ReactNode;
  label: string;
  /** Whether it is still unknown what will be deleted. */
  loading?: boolean;
  run: () => Promise<void>;
  /** The text of an error; by default the problem's own. */
  messageFor?: (problem: Problem) => string;
  onClose: () => void;
}

/** Asks for confirmation before a delete, and shows its error. */
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
