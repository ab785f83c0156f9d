import { Button, Group, Text } from '@mantine/core';
import { ChevronDown, ChevronRight, History, Pause, Play, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { maxLimit } from '../api/limits';
import { curl } from '../copy/curl';
import { CopyMenu } from '../copy/CopyMenu';
import { EntityName } from '../explore/EntityName';
import { usePermissions } from '../session/session';
import { EmptyState, Loading } from '../shell/States';
import { escapeInvisible, formatCount, formatTime, pluralize } from '../values/text';
import { CauseText } from './CauseText';
import {
  actionLabels,
  causeText,
  groupByRequest,
  namesOf,
  summaryOf,
  mayUndo,
  undoTargetOf,
  valueChanges,
  type RequestChanges,
} from './change';
import { ActionBadge } from './ActionBadge';
import { keptChanges, searchedChanges } from './feed';
import { filtersOf } from '../shell/FilterForm';
import { HistoryFilters } from './HistoryFilters';
import { HistoryError } from './HistoryError';
import { feedFilters, type Change, type FeedFilters } from './history';
import { ShortValue } from './ShortValue';
import { UndoDialog } from './UndoDialog';
import { useFeed } from './useFeed';

/** The recorded changes, newest first, with new ones as they are made. The filters are in the URL. */
export default function ChangesPage() {
  const [params, setParams] = useSearchParams();
  const filters = filtersOf(params, feedFilters);
  return (
    <div className="page">
      <div className="page-inner">
        <Feed key={params.toString()} filters={filters} onFilters={setParams} />
      </div>
    </div>
  );
}

function Feed({ filters, onFilters }: { filters: FeedFilters; onFilters: (next: URLSearchParams) => void }) {
  const [following, setFollowing] = useState(true);
  const [attempt, setAttempt] = useState(0);
  const [undoing, setUndoing] = useState<RequestChanges | null>(null);
  const feed = useFeed(filters, following, attempt);
  const groups = useMemo(() => groupByRequest(feed.changes), [feed.changes]);
  const names = useMemo(() => namesOf(feed.changes), [feed.changes]);
  const live = following && feed.problem === null;
  const filtered = Object.keys(filters).length > 0;
  const retry = () => setAttempt(attempt + 1);
  return (
    <>
      <Group mb="sm">
        <h1 style={{ margin: 0, fontSize: '1.2rem' }}>Changes</h1>
        {!feed.ended && (
          <>
            <span className="live" role="status" data-live={live}>
              <span className="dot" aria-hidden />
              {!following ? 'Paused' : feed.problem ? `${feed.problem.message}. Trying again.` : 'New changes appear at the top'}
            </span>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={following ? <Pause size={13} aria-hidden /> : <Play size={13} aria-hidden />}
              onClick={() => setFollowing(!following)}
            >
              {following ? 'Pause' : 'Resume'}
            </Button>
          </>
        )}
        <span className="spacer" />
        <CopyMenu
          label="Copy this list as…"
          items={[
            {
              label: 'curl',
              text: () => curl({ path: '/api/changes', query: { last: String(keptChanges), limit: String(maxLimit), ...filters } }),
            },
          ]}
        />
      </Group>
      <HistoryFilters label="Filters of changes" names={feedFilters} filters={filters} onChange={onFilters} />
      {feed.ended && <HistoryError error={feed.problem} subject="the changes" retry={retry} />}
      {!feed.ended && feed.next === '' && !feed.problem && <Loading subject="the changes" />}
      {!feed.ended && feed.next !== '' && groups.length === 0 && (
        <EmptyState icon={History} title="No changes yet">
          {filtered
            ? `None of the last ${formatCount(searchedChanges)} changes matches the filters. New ones appear as they are made.`
            : 'Changes made through the gateway appear here.'}
        </EmptyState>
      )}
      {groups.length > 0 && <Groups groups={groups} partial={feed.partial} names={names} onUndo={setUndoing} />}
      {groups.length > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {pluralize(feed.changes.length, 'change')}
          {feed.partial &&
            `. At most ${formatCount(keptChanges)} are shown here; the History tab of a node or an edge has all of its changes.`}
          {filtered && !feed.partial && ` that match the filters, of the last ${formatCount(searchedChanges)} and of those made since.`}
        </Text>
      )}
      {undoing && (
        <UndoDialog
          target={undoTargetOf(undoing.changes)}
          title={undoLabel(undoing.changes)}
          names={names}
          onClose={() => setUndoing(null)}
        />
      )}
    </>
  );
}

function undoLabel(changes: Change[]): string {
  if (changes[0]?.cause?.import) return 'Undo the import';
  return changes.length > 1 ? 'Undo the request' : 'Undo';
}

function Groups({
  groups,
  partial,
  names,
  onUndo,
}: {
  groups: RequestChanges[];
  /** The last group may have changes that are not here. */
  partial: boolean;
  names: Map<string, string>;
  onUndo: (group: RequestChanges) => void;
}) {
  return (
    <div className="card scroll-x" tabIndex={0} role="region" aria-label="Recorded changes">
      <table className="plain-table">
        <thead>
          <tr>
            <th>Time</th>
            <th>User</th>
            <th>Change</th>
            <th>Values</th>
            <th aria-label="Undo" />
          </tr>
        </thead>
        {groups.map((group) => (
          <GroupRows
            key={group.key}
            group={group}
            partial={partial && group === groups.at(-1)}
            names={names}
            onUndo={() => onUndo(group)}
          />
        ))}
      </table>
    </div>
  );
}

// A request may have thousands of changes.
const shownOfGroup = 100;

interface GroupProps {
  group: RequestChanges;
  partial: boolean;
  names: Map<string, string>;
  onUndo: () => void;
}

function GroupRows({ group, partial, names, onUndo }: GroupProps) {
  const [open, setOpen] = useState(false);
  const { changes } = group;
  const newest = changes[0]!;
  const undoable = mayUndo(changes, usePermissions());
  const cause = newest.cause?.deleted_with ? '' : causeText(newest);
  const label = undoLabel(changes);
  return (
    <tbody>
      <tr>
        <TimeCell change={newest} />
        <td style={{ minWidth: '6.5rem' }}>
          {newest.user === null ? <span style={{ color: 'var(--muted)' }}>unknown</span> : escapeInvisible(newest.user)}
        </td>
        {changes.length === 1 ? (
          <ChangeCells change={newest} names={names} />
        ) : (
          <td colSpan={2}>
            <button type="button" className="linkbutton" aria-expanded={open} onClick={() => setOpen(!open)}>
              {open ? (
                <ChevronDown size={14} aria-hidden style={{ verticalAlign: -2 }} />
              ) : (
                <ChevronRight size={14} aria-hidden style={{ verticalAlign: -2 }} />
              )}{' '}
              {partial && 'At least '}
              {summaryOf(changes)}
            </button>
            {cause && (
              <span style={{ color: 'var(--muted)' }}>
                {' '}
                <CauseText change={newest} />
              </span>
            )}
          </td>
        )}
        <td className="right">
          {undoable && (
            <Button size="compact-xs" variant="default" leftSection={<Undo2 size={13} aria-hidden />} onClick={onUndo}>
              {label}
            </Button>
          )}
        </td>
      </tr>
      {open &&
        changes.length > 1 &&
        changes.slice(0, shownOfGroup).map((change) => (
          <tr key={change.id} className="group-rows">
            <TimeCell change={change} />
            <td />
            <ChangeCells change={change} names={names} />
            <td />
          </tr>
        ))}
      {open && changes.length > shownOfGroup && (
        <tr className="group-rows">
          <td colSpan={5}>The first {shownOfGroup} are shown.</td>
        </tr>
      )}
    </tbody>
  );
}

function TimeCell({ change }: { change: Change }) {
  return (
    <td style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }} title={change.at}>
      {formatTime(change.at)}
    </td>
  );
}

function ChangeCells({ change, names }: { change: Change; names: Map<string, string> }) {
  const cause = causeText(change);
  return (
    <>
      <td style={{ minWidth: '13rem' }}>
        <Group gap={6} wrap="nowrap" align="baseline">
          <ActionBadge action={change.action} label={actionLabels[change.action]} />
          <span>
            {change.kind}{' '}
            <EntityName kind={change.kind} id={change.entity} type={change.type} name={names.get(change.entity)} tab="history" />
            {cause && (
              <span style={{ color: 'var(--muted)' }}>
                {' '}
                <CauseText change={change} />
              </span>
            )}
          </span>
        </Group>
      </td>
      <td style={{ minWidth: '12rem' }}>
        <ValueTexts change={change} />
      </td>
    </>
  );
}

const shownValues = 3;

/** The first values of an update: "born: 1960 → 1961". */
function ValueTexts({ change }: { change: Change }) {
  const values = change.action === 'update' ? valueChanges(change) : [];
  return (
    <>
      {values.slice(0, shownValues).map(({ name, before, after }) => (
        <div key={name} className="diff">
          <strong style={{ fontWeight: 550 }}>{escapeInvisible(name)}:</strong> <ShortValue value={before} /> → <ShortValue value={after} />
        </div>
      ))}
      {values.length > shownValues && (
        <div className="diff absent">{pluralize(values.length - shownValues, 'more property', 'more properties')}</div>
      )}
      {change.gap && <div className="diff absent">Before it, changed outside the gateway.</div>}
    </>
  );
}
