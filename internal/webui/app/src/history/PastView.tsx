// An entity as it was at a time: the fields that choose one or two times, and the difference of the two states.
import { Button, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { EntityKind } from '../api/graph';
import { asProblem } from '../api/problem';
import { Loading } from '../shell/States';
import { escapeInvisible, formatTime } from '../values/text';
import { compareValues } from './change';
import { HistoryError } from './HistoryError';
import { readPast, type PastState } from './history';
import { localTime, timeInWords, timeOf, type Past } from './past';
import { ValueDifference } from './ValueTable';

interface FormProps {
  past: Past | null;
  onPast: (past: Past | null) => void;
  /** The times of the states, once they are read. */
  times?: Past;
}

/** Chooses a time, and another one to compare with. A field that is not edited keeps its change and the fractions of its second. */
export function PastForm({ past, onPast, times }: FormProps) {
  const shown = { at: localTime(times?.at || past?.at || ''), until: localTime(times?.until || past?.until || '') };
  const [edited, setEdited] = useState<Partial<Past>>({});
  const field = (name: keyof Past) => edited[name] ?? shown[name];
  const value = (name: keyof Past) => (field(name) === shown[name] ? (past?.[name] ?? '') : timeOf(field(name)));
  const edit = (name: keyof Past) => (event: FormEvent<HTMLInputElement>) => setEdited({ ...edited, [name]: event.currentTarget.value });
  function submit(event: FormEvent) {
    event.preventDefault();
    setEdited({});
    onPast(value('at') === '' ? null : { at: value('at'), until: value('until') });
  }
  return (
    <form onSubmit={submit} className="past-form" aria-label="As it was">
      <TextInput
        size="xs"
        type="datetime-local"
        step={1}
        label="As of"
        withAsterisk={false}
        value={field('at')}
        onChange={edit('at')}
        required
      />
      {past && (
        <TextInput
          size="xs"
          type="datetime-local"
          step={1}
          label="Compared with"
          description="empty: now"
          inputWrapperOrder={['label', 'input', 'description']}
          value={field('until')}
          onChange={edit('until')}
        />
      )}
      <Button type="submit" size="xs" variant="default">
        Show
      </Button>
    </form>
  );
}

const usePastState = (kind: EntityKind, id: string, at: string) =>
  useQuery({
    queryKey: ['history', kind, id, 'at', at],
    queryFn: ({ signal }) => readPast(kind, id, at, signal),
    staleTime: 0,
    retry: false,
  });

interface Props {
  kind: EntityKind;
  id: string;
  past: Past;
  onPast: (past: Past | null) => void;
}

/** The difference of two states of an entity. */
export function PastView({ kind, id, past, onPast }: Props) {
  const first = usePastState(kind, id, past.at);
  const second = usePastState(kind, id, past.until);
  const failed = [first, second].find((query) => query.isError);
  const states = first.data && second.data ? ([first.data, second.data] as const) : null;
  const requested = (at: string, state: PastState | undefined) => (localTime(at) === '' ? (state?.asOf ?? '') : at);
  const times = { at: requested(past.at, first.data), until: past.until === '' ? '' : requested(past.until, second.data) };
  return (
    <>
      <PastForm key={`${past.at}..${past.until}`} past={past} onPast={onPast} times={times} />
      <Group gap="xs">
        <button type="button" className="linkbutton" onClick={() => onPast(null)}>
          All changes
        </button>
      </Group>
      {failed ? (
        <PastError error={failed.error} retry={() => void failed.refetch()} />
      ) : states ? (
        <Difference states={states} times={times} isNow={past.until === ''} />
      ) : (
        <Loading subject="the past" />
      )}
    </>
  );
}

function PastError({ error, retry }: { error: unknown; retry: () => void }) {
  if (asProblem(error).code !== 'HISTORY_GONE') return <HistoryError error={error} subject="the past" retry={retry} />;
  return (
    <p className="change-note" role="alert">
      This is before the oldest change that is kept.
    </p>
  );
}

interface DifferenceProps {
  states: readonly [PastState, PastState];
  /** The times of the states; empty where it is not known. */
  times: Past;
  /** Whether the later state is the present one. */
  isNow: boolean;
}

function Difference({ states: [then, later], times, isNow }: DifferenceProps) {
  const names = [timeInWords(times.at), isNow ? 'now' : timeInWords(times.until)] as const;
  const headings: [string, string] = isNow ? ['Then', 'Now'] : [...names];
  const before = then.state?.properties;
  const after = later.state?.properties;
  return (
    <div role="status" aria-label="As it was">
      <StateNote name={names[0]} at={times.at} state={then} absent="It did not exist." />
      <StateNote name={names[1]} at={times.until} state={later} absent={`It ${isNow ? 'does' : 'did'} not exist.`} />
      {(before ?? after) && (
        <ValueDifference
          values={compareValues(before, after)}
          label="Values at both times"
          headings={headings}
          same={`All values are ${isNow ? 'as they were then' : 'the same at both times'}.`}
        />
      )}
    </div>
  );
}

interface NoteProps {
  name: string;
  at: string;
  state: PastState;
  /** Says that there was no such entity. */
  absent: string;
}

/** What is to be known of a state beside its values. */
function StateNote({ name, at, state: { state, asOf, gap }, absent }: NoteProps) {
  const labels = state && 'labels' in state && state.labels.length > 1 ? `Labels: ${state.labels.map(escapeInvisible).join(', ')}.` : '';
  const since = state && asOf !== '' && asOf !== at ? `Left by the change of ${formatTime(asOf)}.` : '';
  const texts = [state === null ? absent : '', since, labels].filter((text) => text !== '');
  return (
    <>
      {texts.length > 0 && (
        <p className="change-note">
          <strong>{name}</strong> {texts.join(' ')}
        </p>
      )}
      {gap && (
        <p className="change-gap" role="note">
          It was changed outside the gateway around {name}: such changes are not recorded, so this state is uncertain.
        </p>
      )}
    </>
  );
}
