import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ChangeSet } from '../changesets/changesets';
import { useWaitingChangeSets } from '../changesets/waiting';
import { EntityName } from '../explore/EntityName';
import { TypeMark } from '../explore/TypeMark';
import { ActionBadge } from '../history/ActionBadge';
import { actionLabels, groupByRequest, namesOf, summaryOf } from '../history/change';
import { isHistoryOff, readFeed } from '../history/history';
import { asProblem } from '../api/problem';
import type { Me } from '../session/session';
import { escapeInvisible, formatTime } from '../values/text';
import { ViewList } from '../views/ViewList';
import { nameOfOpened, readStored } from './stored';

const shownItems = 6;
const readChanges = 200;

function Section({ title, link, children }: { title: string; link?: { to: string; text: string }; children: ReactNode }) {
  return (
    <section className="card home-card" aria-label={title}>
      <h2 className="home-title">
        {title}
        {link && (
          <Link className="linkbutton" to={link.to}>
            {link.text}
          </Link>
        )}
      </h2>
      {children}
    </section>
  );
}

const Note = ({ children }: { children: ReactNode }) => <p className="home-note">{children}</p>;

/** The user's saved views, and those shared with the user. */
export function SavedViews() {
  return (
    <Section title="Saved views">
      <ViewList shown={shownItems} />
    </Section>
  );
}

/** The change sets that the user may apply, those that the user may approve, and the user's own. */
export function WaitingChangeSets({ me }: { me: Me }) {
  const { all, waiting, error, isPending: pending } = useWaitingChangeSets(me);
  const shown = [...waiting, ...all.filter((set) => set.author_id === me.id && !waiting.includes(set))].slice(0, shownItems);
  const noteOf = (set: ChangeSet) => {
    if (!waiting.includes(set)) return 'yours, waits for somebody else';
    const author = set.author_id === me.id ? 'yours' : `by ${escapeInvisible(set.author)}`;
    return set.status === 'approved' ? `${author}, approved, waits to be applied` : author;
  };
  return (
    <Section title="Waiting change sets" link={{ to: '/change-sets', text: 'All' }}>
      {pending && <Note>Loading…</Note>}
      {error && <Note>Could not load the change sets: {asProblem(error).message}</Note>}
      {!pending && !error && shown.length === 0 && (
        <Note>No change set waits for you. Turn on “Propose” above to have your own edits reviewed.</Note>
      )}
      <ul className="home-list">
        {shown.map((set) => (
          <li key={set.id}>
            <Link className="linkbutton" to={`/change-sets/${encodeURIComponent(set.id)}`}>
              {escapeInvisible(set.title)}
            </Link>
            <span className="home-note">
              {noteOf(set)}, {formatTime(set.created_at)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The last recorded changes, by request. Of the earliest request that was read there may be more. */
export function LastChanges({ me }: { me: Me }) {
  const recent = useQuery({
    queryKey: ['history', 'home', me.id],
    queryFn: ({ signal }) => readFeed({ last: readChanges, limit: readChanges }, signal),
    retry: false,
  });
  const changes = recent.data?.changes.toReversed() ?? [];
  const names = namesOf(changes);
  const earliest = changes.length >= readChanges ? changes.at(-1) : undefined;
  return (
    <Section title="Recent changes" link={{ to: '/changes', text: 'All' }}>
      {recent.isPending && <Note>Loading…</Note>}
      {recent.isError && (
        <Note>
          {isHistoryOff(recent.error)
            ? 'The service does not record changes.'
            : `Could not load the changes: ${asProblem(recent.error).message}`}
        </Note>
      )}
      {recent.isSuccess && changes.length === 0 && <Note>Changes made through the gateway appear here.</Note>}
      <ul className="home-list">
        {groupByRequest(changes)
          .slice(0, shownItems)
          .map(({ key, changes: [first, ...others] }) => (
            <li key={key}>
              {others.length === 0 ? (
                <span className="home-change">
                  <ActionBadge action={first!.action} label={actionLabels[first!.action]} />
                  <EntityName kind={first!.kind} id={first!.entity} type={first!.type} name={names.get(first!.entity)} tab="history" />
                </span>
              ) : (
                <Link className="linkbutton" to="/changes">
                  {earliest && others.includes(earliest) && 'At least '}
                  {summaryOf([first!, ...others])}
                </Link>
              )}
              <span className="home-note">
                {first!.user === null ? 'unknown user' : escapeInvisible(first!.user)}, {formatTime(first!.at)}
              </span>
            </li>
          ))}
      </ul>
    </Section>
  );
}

/** The entities that the user has opened last in this browser. */
export function LastOpened({ me }: { me: Me }) {
  const { opened } = readStored(me.id);
  return (
    <Section title="Recently opened">
      {opened.length === 0 && <Note>Nodes and edges that you open are listed here.</Note>}
      <ul className="home-list">
        {opened.slice(0, shownItems).map((one) => (
          <li key={`${one.kind} ${one.id}`}>
            <span className="home-change">
              <TypeMark kind={one.kind} type={one.type} />
              <EntityName kind={one.kind} id={one.id} type={one.type} name={nameOfOpened(one)} tab="properties" />
            </span>
            <span className="home-note">{escapeInvisible(one.type ?? 'no label')}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
