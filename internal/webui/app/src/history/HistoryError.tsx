import { History } from 'lucide-react';
import { EmptyState, LoadError } from '../shell/States';
import { isHistoryOff } from './history';

/** Shown instead of changes that could not be read. */
export function HistoryError({ error, subject, retry }: { error: unknown; subject: string; retry: () => void }) {
  if (!isHistoryOff(error)) return <LoadError error={error} subject={subject} retry={retry} />;
  return (
    <EmptyState icon={History} title="Changes are not recorded">
      The operator has set GRAPHREST_HISTORY=off.
    </EmptyState>
  );
}
