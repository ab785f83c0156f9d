import { Button, Group, Modal, Text } from '@mantine/core';
import { Fragment } from 'react';
import type { PropertyChanges, Entity } from '../api/graph';
import { sameValue } from '../values/draft';
import type { Properties } from '../values/value';
import { cellText, escapeInvisible } from '../values/text';
import type { Value } from '../values/value';

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
  const ownValue = (properties: Properties, name: string) => (Object.hasOwn(properties, name) ? properties[name] : undefined);
  const theirChanges = [...new Set([...Object.keys(before), ...Object.keys(current)])].filter(
    (n) => !sameValue(ownValue(before, n), ownValue(current, n)),
  );
  const names = [...new Set([...Object.keys(mine), ...theirChanges])].sort();
  const text = (value: Value | null | undefined) => (value === undefined || value === null ? 'not set' : escapeInvisible(cellText(value)));

  return (
    <Modal opened onClose={onClose} size="lg" title="Changed by another user">
      <Text size="sm" c="dimmed" mb="sm">
        Since you opened this {theirs.kind}, {theirChanges.length === 0 ? 'it was saved again' : 'its properties have changed'}. Your
        changes are not saved yet.
      </Text>
      <div className="versions" role="table" aria-label="Both versions">
        <div className="head">Property</div>
        <div className="head">Yours</div>
        <div className="head">Current</div>
        {names.map((name) => {
          const yours = Object.hasOwn(mine, name) ? mine[name] : ownValue(before, name);
          const differs = !sameValue(yours ?? undefined, ownValue(current, name)) ? 'differs' : undefined;
          return (
            <Fragment key={name}>
              <div>{escapeInvisible(name)}</div>
              <div className={differs}>{text(yours)}</div>
              <div className={differs}>{text(ownValue(current, name))}</div>
            </Fragment>
          );
        })}
      </div>
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
