import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isHistoryOff, readFeed } from '../history/history';
import { usePermissions } from '../session/session';

/** Warns, before anything is applied, that it cannot be undone. */
export function UndoNote({ action, kind }: { action: 'edit' | 'delete'; kind: 'node' | 'edge' }) {
  const may = usePermissions();
  const feed = useQuery({
    queryKey: ['history-is-on'],
    queryFn: async () =>
      readFeed({}).then(
        () => true,
        (error: unknown) => (isHistoryOff(error) ? false : Promise.reject(error)),
      ),
    staleTime: 60_000,
    retry: false,
  });
  const needs = action === 'delete' ? 'create' : 'edit';
  const reason =
    feed.data === false
      ? 'The service does not record changes: this cannot be undone.'
      : !may[kind][needs]
        ? `You cannot undo this: that needs the right to ${needs} ${kind}s.`
        : '';
  if (reason === '') return null;
  return (
    <Text size="sm" mt="xs" c="orange.9" className="undo-note" role="note">
      {reason}
    </Text>
  );
}
