import { Button, Group, Loader, Modal, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { asProblem, type Problem } from '../api/problem';
import { notify } from '../shell/notify';
import { pluralize } from '../values/text';
import type { ExportFile, OnProgress } from './exporting';
import { save } from './save';

interface Props {
  subject: string;
  run: (onProgress: OnProgress, signal: AbortSignal) => Promise<ExportFile>;
  onClose: () => void;
}

/** Runs an export and saves the file. The user can stop it. */
export default function ExportDialog({ subject: what, run, onClose }: Props) {
  const [lines, setLines] = useState(0);
  const [problem, setProblem] = useState<Problem | null>(null);

  useEffect(() => {
    const stop = new AbortController();
    run(setLines, stop.signal).then(
      (file) => {
        if (stop.signal.aborted) return;
        save(file.name, file.type, ...file.parts);
        const counts = [
          ...(file.nodes > 0 || file.edges === 0 ? [pluralize(file.nodes, 'node')] : []),
          ...(file.edges > 0 ? [pluralize(file.edges, 'edge')] : []),
        ];
        notify(counts.join(', '), `${file.name} saved`);
        onClose();
      },
      (error: unknown) => !stop.signal.aborted && setProblem(asProblem(error)),
    );
    return () => stop.abort();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- runs once, when the dialog opens
  }, []);

  return (
    <Modal opened onClose={onClose} title={`Export: ${what}`} closeOnClickOutside={false}>
      {problem ? (
        <Text size="sm" c="red" role="alert">
          Nothing was saved. {problem.text}
        </Text>
      ) : (
        <Group gap="sm" role="status">
          <Loader size="xs" />
          <Text size="sm">{lines === 0 ? 'Reading…' : `${pluralize(lines, 'row')} so far…`}</Text>
        </Group>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {problem ? 'Close' : 'Stop'}
        </Button>
      </Group>
    </Modal>
  );
}
