import { Button, Group, Text } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { asProblem, type Problem } from '../api/problem';

/** Runs the action of a form; returns whether it is running and the problem of the last attempt. */
export function useSubmit(onSubmit: () => Promise<void>) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);

  async function run(job: () => Promise<void>) {
    setBusy(true);
    setProblem(null);
    try {
      await job();
    } catch (error) {
      setProblem(asProblem(error));
    }
    setBusy(false);
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    void run(onSubmit);
  }
  return { problem, busy, submit, run, clearProblem: () => setProblem(null) };
}

interface Props {
  label: string;
  /** The error that no field shows. */
  error?: string | null | undefined;
  busy: boolean;
  disabled?: boolean;
  onCancel: () => void;
  /** Shown opposite the buttons. */
  children?: ReactNode;
}

/** The end of a form: its error and its buttons. */
export function FormFooter({ label, error, busy, disabled = false, onCancel, children }: Props) {
  return (
    <>
      {error && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
      <Group justify={children ? 'space-between' : 'flex-end'} mt="xs">
        {children}
        <Group gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={disabled}>
            {label}
          </Button>
        </Group>
      </Group>
    </>
  );
}
