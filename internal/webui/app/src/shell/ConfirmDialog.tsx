import { Button, Group, Modal, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { asProblem, type Problem } from '../api/problem';

interface Props {
  title: string;
  /** What will happen. */
  children: ReactNode;
  label: string;
  /** Whether it is still unknown what will happen. */
  loading?: boolean;
  /** The colour of the button; by default that of a deletion, empty for that of other steps. */
  color?: string;
  run: () => Promise<void>;
  /** The text of an error; by default the problem's own. */
  messageFor?: (problem: Problem) => string;
  onClose: () => void;
}

/** Asks for confirmation before a delete or another step that is final, and shows its error. */
export function ConfirmDialog({
  title,
  children,
  label,
  color = 'red.8',
  loading = false,
  run,
  messageFor = (problem) => problem.text,
  onClose,
}: Props) {
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
        <Button color={color || undefined} loading={busy} disabled={loading} onClick={() => void confirm()}>
          {label}
        </Button>
      </Group>
    </Modal>
  );
}
