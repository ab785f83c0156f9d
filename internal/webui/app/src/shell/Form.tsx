import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef, useState, type FormEvent, type ReactNode, type RefObject } from 'react';
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

/**
 * Moves the focus to what is wrong after an attempt to save: the first field with an error, or else the error beside the buttons. The
 * element is in the form.
 */
export function useErrorFocus(element: RefObject<HTMLElement | null>, busy: boolean) {
  const wasBusy = useRef(false);
  function focusError() {
    const form = element.current?.closest('form');
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
    // The list that a combobox opens with the focus would cover the fields below.
    if (field?.role === 'combobox') field.scrollIntoView({ block: 'nearest' });
    else if (field) field.focus();
    else form?.querySelector<HTMLElement>('[data-form-error]')?.focus();
  }
  useEffect(() => {
    if (wasBusy.current && !busy) focusError();
    wasBusy.current = busy;
  });
  useEffect(() => {
    const form = element.current?.closest('form');
    const handleSubmit = () => requestAnimationFrame(focusError); // what the form itself finds wrong
    form?.addEventListener('submit', handleSubmit);
    return () => form?.removeEventListener('submit', handleSubmit);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the element stays in its form
  }, []);
}

/** The error of a form that no field shows. It stands beside the buttons and can take the focus. */
export function FormError({ text }: { text: string }) {
  return (
    <Text size="sm" c="red" role="alert" tabIndex={-1} data-form-error style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  );
}

/** The end of a form: its error and its buttons, which stay in view in a dialog that is higher than the window. */
export function FormFooter({ label, error, busy, disabled = false, onCancel, children }: Props) {
  const footer = useRef<HTMLDivElement>(null);
  useErrorFocus(footer, busy);
  return (
    <div className="form-footer" ref={footer}>
      {error && <FormError text={error} />}
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
    </div>
  );
}
