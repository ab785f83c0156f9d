import { Button, Group, Modal, Text } from '@mantine/core';
import { useState } from 'react';

/** Asks before a form is closed in which something has been entered. */
export function useDiscardQuestion(entered: boolean, onClose: () => void) {
  const [asking, setAsking] = useState(false);
  const keep = () => setAsking(false);
  return {
    asking,
    close: () => (entered ? setAsking(true) : onClose()),
    // Escape has opened the question, and would close it again in the same event.
    question: (
      <Modal opened={asking} onClose={keep} closeOnEscape={false} title="Discard what you entered?" size="sm" zIndex={300}>
        <Text size="sm">It has not been saved.</Text>
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={keep} data-autofocus>
            Keep editing
          </Button>
          <Button color="red.8" onClick={onClose}>
            Discard
          </Button>
        </Group>
      </Modal>
    ),
  };
}
