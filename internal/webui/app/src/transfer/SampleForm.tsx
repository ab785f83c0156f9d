import { Button, Group, Stack, Text } from '@mantine/core';
import type { Problem } from '../api/problem';
import { formatCount } from '../values/text';
import { sampleGraph } from './sample';

const { lines, counts } = sampleGraph();

interface Props {
  problem?: Problem | undefined;
  onStart: (lines: File) => void;
  onClose: () => void;
}

/** Says what the sample graph has, before it is imported. */
export default function SampleForm({ problem, onStart, onClose }: Props) {
  const listOf = (types: string[]) => types.map((type) => `${formatCount(counts[type]!)} ${type}`).join(', ');
  return (
    <Stack gap="md">
      <Text size="sm">Airports of the world with their cities and countries, and the distances between them. It makes</Text>
      <ul style={{ margin: 0, paddingLeft: '1.25rem', fontSize: 'var(--mantine-font-size-sm)' }}>
        <li>nodes: {listOf(['Airport', 'City', 'Country'])}</li>
        <li>edges: {listOf(['SERVES', 'IN_COUNTRY', 'ROUTE'])}</li>
      </ul>
      <Text size="xs" c="dimmed">
        It is an import like any other: if the service records changes, Undo the import, here or on the page Changes, removes all of it.
      </Text>
      {problem && (
        <Text size="sm" c="red" role="alert">
          {problem.text}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={() => onStart(new File([lines.join('\n')], 'sample.ndjson'))} data-autofocus>
          Load the sample
        </Button>
      </Group>
    </Stack>
  );
}
