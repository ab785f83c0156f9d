import { Button, Group, Modal, Text } from '@mantine/core';
import type { PropertyChanges, Entity } from '../api/graph';
import { compareValues } from '../history/change';
import { ValueTable } from '../history/ValueTable';
import type { Properties } from '../values/value';

interface Props {
  /** The properties as read before the edit. */
  before: Properties;
  mine: PropertyChanges;
  theirs: Entity;
  onKeepMine: () => void;
  onUseTheirs: () => void;
  onClose: () => void;
}

/** Shows both versions side by side after another user has changed the entity. */
export function ConflictDialog({ before, mine, theirs, onKeepMine, onUseTheirs, onClose }: Props) {
  const current = theirs.entity.properties;
  const theirChanges = compareValues(before, current).filter(({ differs }) => differs);
  const changed = new Set([...Object.keys(mine), ...theirChanges.map(({ name }) => name)]);
  const yours = Object.fromEntries(Object.entries({ ...before, ...mine }).filter(([, value]) => value !== null)) as Properties;

  return (
    <Modal opened onClose={onClose} size="lg" title="Changed by another user">
      <Text size="sm" c="dimmed" mb="sm">
        Since you opened this {theirs.kind}, {theirChanges.length === 0 ? 'it was saved again' : 'its properties have changed'}. Your
        changes are not saved yet.
      </Text>
      <ValueTable
        values={compareValues(yours, current).filter(({ name }) => changed.has(name))}
        label="Both versions"
        headings={['Yours', 'Current']}
      />
      <Group justify="flex-end" mt="md">
        <Button variant="subtle" color="gray" onClick={onClose}>
          Keep editing
        </Button>
        <Button variant="default" onClick={onUseTheirs}>
          Use theirs
        </Button>
        <Button onClick={onKeepMine}>Save mine</Button>
      </Group>
    </Modal>
  );
}
