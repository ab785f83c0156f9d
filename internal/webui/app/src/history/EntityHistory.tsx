import { Button, Group } from '@mantine/core';
import { History, Undo2 } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { EntityKind } from '../api/graph';
import { asProblem } from '../api/problem';
import { usePermissions } from '../session/session';
import { LoadMore, useCursorList } from '../shell/CursorList';
import { Loading } from '../shell/States';
import { escapeInvisible, formatTime } from '../values/text';
import { actionLabels, causeText, namesOf, mayUndo } from './change';
import { ActionBadge } from './ActionBadge';
import { CauseText } from './CauseText';
import { ChangeValues } from './ChangeValues';
import { HistoryError } from './HistoryError';
import { listHistory, type Change } from './history';
import type { Past } from './past';
import { PastForm, PastView } from './PastView';
import { UndoDialog } from './UndoDialog';

interface Props {
  kind: EntityKind;
  id: string;
  /** Two states to compare, instead of the list of changes. */
  past: Past | null;
  onPast: (past: Past | null) => void;
}

/** The recorded changes of a node or an edge, also of a deleted one, or how it was at a time. */
export default function EntityHistory({ kind, id, past, onPast }: Props) {
  if (past) return <PastView kind={kind} id={id} past={past} onPast={onPast} />;
  return <ChangeList kind={kind} id={id} onPast={onPast} />;
}

/** Newest first. */
function ChangeList({ kind, id, onPast }: Omit<Props, 'past'>) {
  const [undoing, setUndoing] = useState<Change | null>(null);
  const list = useCursorList(['history', kind, id], (cursor, signal) => listHistory(kind, id, cursor, signal));
  const changes = list.items;
  if (list.isPending) return <Loading subject="the history" />;
  if (list.isError && changes.length === 0) {
    if (asProblem(list.error).code === 'NOT_FOUND') return <NoChanges />;
    return <HistoryError error={list.error} subject="the history" retry={() => void list.refetch()} />;
  }
  if (changes.length === 0 && !list.hasNextPage) return <NoChanges />;
  return (
    <>
      <PastForm past={null} onPast={onPast} />
      <ol className="changes" aria-label="Changes, newest first">
        {changes.map((change) => (
          <Fragment key={change.id}>
            <ChangeItem change={change} onUndo={() => setUndoing(change)} onShow={() => onPast({ at: change.id, until: '' })} />
            {change.gap && (
              <li className="change-gap">
                It was changed outside the gateway between the change above and the change below. What happened in between is not recorded.
              </li>
            )}
          </Fragment>
        ))}
      </ol>
      <LoadMore list={list} compact />
      {undoing && (
        <UndoDialog
          target={{ change: undoing.id }}
          requestId={undoing.request_id}
          title={`Undo: ${actionLabels[undoing.action].toLowerCase()} ${formatTime(undoing.at)}`}
          names={namesOf(changes)}
          onClose={() => setUndoing(null)}
        />
      )}
    </>
  );
}

function NoChanges() {
  return (
    <p className="change-note">No changes are recorded. Changes made outside the gateway are not recorded, and old records are removed.</p>
  );
}

function ChangeItem({ change, onUndo, onShow }: { change: Change; onUndo: () => void; onShow: () => void }) {
  const undoable = mayUndo([change], usePermissions());
  const cause = causeText(change);
  return (
    <li className="change">
      <div className="change-head">
        <ActionBadge action={change.action} label={actionLabels[change.action]} />
        <span>
          by <strong>{change.user === null ? 'unknown' : escapeInvisible(change.user)}</strong>
        </span>
        <time dateTime={change.at} title={change.at}>
          {formatTime(change.at)}
        </time>
      </div>
      {cause && (
        <p className="change-note">
          <CauseText change={change} text={cause[0]!.toUpperCase() + cause.slice(1)} />
        </p>
      )}
      <ChangeValues change={change} />
      <Group gap={6} mt={6}>
        {change.action !== 'delete' && (
          <Button size="compact-xs" variant="default" leftSection={<History size={13} aria-hidden />} onClick={onShow}>
            As of this change
          </Button>
        )}
        {undoable && (
          <Button size="compact-xs" variant="default" leftSection={<Undo2 size={13} aria-hidden />} onClick={onUndo}>
            Undo this change
          </Button>
        )}
      </Group>
    </li>
  );
}
