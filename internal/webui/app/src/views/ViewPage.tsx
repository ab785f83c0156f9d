// Opens a saved view: its state becomes an address of the Explore page, and the positions of its nodes those of the canvas.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FileQuestion } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { getSchema } from '../api/graph';
import { asProblem } from '../api/problem';
import { layoutNameOf, placeSaved } from '../canvas/layoutStorage';
import { prefetchView } from '../explore/prefetch';
import { explorePath } from '../explore/url';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { escapeInvisible } from '../values/text';
import { serializeOpened } from './opened';
import { decodeState, StateError, type ViewState } from './state';
import { getView, viewKey, type SavedView } from './views';

export function ViewPage() {
  const { id = '' } = useParams();
  const read = useQuery({ queryKey: viewKey(id), queryFn: ({ signal }) => getView(id, signal), staleTime: 0, retry: false });
  useQuery({ queryKey: ['schema'], queryFn: getSchema }); // the page that shows the view needs it
  if (read.isError) {
    return ['NOT_FOUND', 'VALIDATION_ERROR'].includes(asProblem(read.error).code) ? (
      <NoView />
    ) : (
      <LoadError error={read.error} subject="the saved view" retry={() => void read.refetch()} />
    );
  }
  // An earlier copy may be older than what was saved last.
  return read.data && read.isFetchedAfterMount && !read.isFetching ? (
    <Open key={id} saved={read.data} />
  ) : (
    <Loading subject="the saved view" />
  );
}

function NoView() {
  return (
    <EmptyState icon={FileQuestion} title="No such saved view" action={<Link to="/">Your saved views</Link>}>
      It was deleted, or it is not shared with you any more.
    </EmptyState>
  );
}

function Open({ saved }: { saved: SavedView }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const state = useMemo(() => decodeOrReason(saved.state), [saved]);
  useEffect(() => {
    if (typeof state === 'string') return;
    if (state.positions.size > 0) placeSaved(layoutNameOf(state.view), state.positions);
    prefetchView(queries, state.view, [...state.positions.keys()]);
    void navigate(explorePath({ ...state.view, saved: serializeOpened(saved) }), { replace: true });
  }, [state, saved, navigate, queries]);
  if (typeof state !== 'string') return <Loading subject="the saved view" />;
  return (
    <EmptyState icon={FileQuestion} title="This saved view cannot be shown" action={<Link to="/explore">Explore the graph</Link>}>
      “{escapeInvisible(saved.name)}” has no state that this page understands. {state}
    </EmptyState>
  );
}

function decodeOrReason(state: unknown): ViewState | string {
  try {
    return decodeState(state);
  } catch (error) {
    if (error instanceof StateError) return error.message;
    throw error;
  }
}
