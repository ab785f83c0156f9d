import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { copyText } from './notify';

interface Props {
  title: string;
  secret: string;
  /** What the secret is for. */
  children: ReactNode;
  onClose: () => void;
}

/** Shows a secret that the service does not show again. Only its button closes it, so that it is not closed by mistake. */
export function SecretDialog({ title, secret, children, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={title} size="lg" closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false}>
      <Stack gap="sm">
        <Text size="sm">{children}</Text>
        <Group align="flex-end" wrap="nowrap" gap="xs">
          <TextInput
            label="Secret"
            readOnly
            style={{ flex: 1 }}
            value={secret}
            spellCheck={false}
            onFocus={(e) => e.currentTarget.select()}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8rem' } }}
          />
          <Button
            variant="default"
            leftSection={<Copy size={15} aria-hidden />}
            onClick={() => void copyText(secret, 'Secret')}
            data-autofocus
          >
            Copy
          </Button>
        </Group>
        <Text size="sm" fw={600}>
          The secret is not shown again. Store it now.
        </Text>
        <Group justify="flex-end">
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
