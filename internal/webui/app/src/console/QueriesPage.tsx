// The saved queries that the user may run, each as a form.
import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Play, Search } from 'lucide-react';
import { useState } from 'react';
import { NavLink, useNavigate, useParams } from 'react-router';
import { getSchema } from '../api/graph';
import { usePermissions } from '../session/session';
import { EmptyState, Loading, LoadError } from '../shell/States';
import { escapeInvisible } from '../values/text';
import { queriesKey, listQueries, type SavedQuery } from './queries';
import { QueryForm } from './QueryForm';
import './console.css';

export default function QueriesPage() {
  const { name } = useParams();
  const may = usePermissions();
  const list = useQuery({ queryKey: queriesKey, queryFn: ({ signal }) => listQueries(signal) });
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.see });
  if (list.isPending) return <Loading subject="the queries" />;
  if (list.isLoadingError) return <LoadError error={list.error} subject="the queries" retry={() => void list.refetch()} />;
  const chosen = list.data.find((query) => query.name === name);
  return (
    <div className="queries" data-chosen={chosen !== undefined}>
      <QueryList queries={list.data} />
      {chosen ? (
        <QueryForm key={chosen.name} query={chosen} schema={schema.data} />
      ) : (
        <EmptyState title={name === undefined ? 'Saved queries' : 'No such query'}>
          {list.data.length === 0 ? 'There is no query that you may run.' : 'Choose a query, fill in its form and run it.'}
        </EmptyState>
      )}
    </div>
  );
}

function QueryList({ queries }: { queries: SavedQuery[] }) {
  const [text, setText] = useState('');
  const navigate = useNavigate();
  const wanted = text.trim().toLowerCase();
  const shown = queries.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted));
  return (
    <nav className="query-list" aria-label="Saved queries">
      <h1>Queries</h1>
      {queries.length > 8 && (
        <TextInput
          size="xs"
          aria-label="Find a query"
          placeholder="Find a query"
          leftSection={<Search size={13} aria-hidden />}
          value={text}
          onChange={(e) => setText(e.currentTarget.value)}
        />
      )}
      {shown.map(({ name, description }) => (
        <NavLink key={name} className="query-link" to={`/queries/${encodeURIComponent(name)}`}>
          <span>{name}</span>
          {description && <small>{escapeInvisible(description)}</small>}
        </NavLink>
      ))}
      {queries.length > 0 && shown.length === 0 && (
        <Button size="compact-xs" variant="subtle" leftSection={<Play size={12} />} onClick={() => void navigate('/queries')}>
          No query has this text
        </Button>
      )}
    </nav>
  );
}
