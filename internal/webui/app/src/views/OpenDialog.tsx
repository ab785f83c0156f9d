import { Modal } from '@mantine/core';
import { ViewList } from './ViewList';

/** The saved views to open. */
export default function OpenDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Open a saved view">
      <ViewList shown={12} onOpen={onClose} autoFocus />
    </Modal>
  );
}
