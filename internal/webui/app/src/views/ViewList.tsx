// Own and shared saved views as links, with a search when there are many.
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useState, type MouseEvent } from 'react';
import { Link } from 'react-router';
import { asProblem } from '../api/problem';
import { escapeInvisible, formatTime } from '../values/text';
import { listViews, pageName, searchViews, sharingText, viewPath, viewsKey, type ViewSummary } from './views';

interface Props {
  /** How many are shown at first; all others are found by the search. */
  shown: number;
  /** Before a view is opened; it may prevent that. */
  onOpen?: (event: MouseEvent, view: ViewSummary) => void;
  autoFocus?: boolean;
}

export function ViewList({ shown, onOpen, autoFocus = false }: Props) {
  const [text, setText] = useState('');
  const read = useQuery({ queryKey: [...viewsKey, 'list'], queryFn: ({ signal }) => listViews(signal), staleTime: 0 });
  const views = read.data?.views ?? [];
  const found = searchViews(views, text);
  const omitted = found.length - shown;
  return (
    <>
      {read.isPending && <p className="home-note">Loading…</p>}
      {read.isError && <p className="home-note">Could not load the saved views: {asProblem(read.error).message}</p>}
      {read.isSuccess && views.length === 0 && (
        <p className="home-note">Save filters, columns and colors, or a canvas, with “Views” above a list or a graph.</p>
      )}
      {views.length > shown && (
        <TextInput
          size="xs"
          aria-label="Search the saved views"
          placeholder="Name, description or owner"
          leftSection={<Search size={14} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          mb="xs"
          data-autofocus={autoFocus || undefined}
        />
      )}
      {views.length > 0 && found.length === 0 && (
        <p className="home-note" role="status">
          No saved view matches.
        </p>
      )}
      <ul className="home-list">
        {found.slice(0, shown).map((view) => (
          <ViewEntry key={view.id} view={view} onOpen={onOpen} />
        ))}
      </ul>
      {omitted > 0 && <p className="home-note">{omitted} more: search for a name.</p>}
      {read.data?.more && <p className="home-note">There are more than {views.length} saved views; the newest are listed.</p>}
    </>
  );
}

function ViewEntry({ view, onOpen }: { view: ViewSummary; onOpen: Props['onOpen'] }) {
  return (
    <li>
      <Link
        className="linkbutton"
        to={viewPath(view.id)}
        title={view.description ? escapeInvisible(view.description) : undefined}
        onClick={(event) => onOpen?.(event, view)}
      >
        {escapeInvisible(view.name)}
      </Link>
      <span className="home-note">
        {pageName(view)}, {sharingText(view)}, {formatTime(view.updated_at)}
      </span>
    </li>
  );
}
