import { Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { asProblem } from '../api/problem';
import { CopyMenu } from '../copy/CopyMenu';
import { curl } from '../copy/curl';
import type { View } from '../explore/url';
import { useRecordLoaded, type LastLoaded } from '../explore/useLastLoaded';
import { useAppearanceVersion } from '../explore/appearance';
import { TypeMark } from '../explore/TypeMark';
import { usePermissions } from '../session/session';
import { CancellableLoading, Cancelled, EmptyState, LoadError } from '../shell/States';
import { ProblemText } from '../shell/ProblemText';
import { Waiting } from '../shell/Waiting';
import { formatCount, escapeInvisible } from '../values/text';
import { hitEntity, hitName, hitRef, hitText } from './hits';
import { search, type Hit } from './search';

const pageSize = 50;

interface Props {
  view: View;
  change: (next: Partial<View>) => void;
  lastLoaded: LastLoaded;
  /** The field for searching, if it is nowhere else. */
  search: ReactNode;
}

/** Nodes and edges that contain all words, best match first. */
export function SearchResults({ view, change, lastLoaded, search: searchField }: Props) {
  const queries = useQueryClient();
  useAppearanceVersion();
  const queryKey = ['search', 'hits', view.searchText];
  const found = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => search(view.searchText, { limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.page.next_cursor ?? undefined,
    retry: false,
    // While other words are searched, the previous results stay.
    placeholderData: keepPreviousData,
  });
  const loaded = found.isSuccess && !found.isPlaceholderData;
  useRecordLoaded(lastLoaded, view, loaded);
  const cancel = () => {
    void queries.cancelQueries({ queryKey, exact: true });
    if (!loaded) lastLoaded.restore(view.open);
  };
  const cancelled = found.isPending && found.fetchStatus === 'idle';
  const waiting = <Waiting key={view.searchText} subject="the results" onCancel={cancel} />;
  const hits = found.data?.pages.flatMap((p) => p.hits) ?? [];
  const page = found.data?.pages[0]?.page;
  return (
    <section className="selection" aria-label="Search results" id="content" tabIndex={-1}>
      <div className="toolbar">
        <h1>Search: {escapeInvisible(view.searchText)}</h1>
        <span className="spacer" />
        {searchField}
        <CopyMenu
          label="Copy this search as…"
          items={[{ label: 'curl', text: () => curl({ path: '/api/search', query: { q: view.searchText, limit: pageSize } }) }]}
        />
      </div>
      {cancelled && <Cancelled subject="the results" retry={() => void found.refetch()} />}
      {!cancelled && (found.isPending || (found.isPlaceholderData && hits.length === 0)) && (
        <CancellableLoading key={view.searchText} subject="the results" onCancel={cancel} />
      )}
      {found.isError && hits.length === 0 && <SearchError error={found.error} retry={() => void found.refetch()} />}
      {loaded && hits.length === 0 && (
        <EmptyState icon={SearchX} title="No results">
          All words must be in the texts of one node or edge. Use * for any ending, as in <em>port*</em>, and quotes for a phrase.
        </EmptyState>
      )}
      {hits.length > 0 && (
        <>
          <div className="hits" role="region" aria-label="Results" aria-busy={found.isPlaceholderData} tabIndex={0}>
            {hits.map((hit) => (
              <HitRow
                key={`${hit.kind} ${hitEntity(hit).id}`}
                hit={hit}
                chosen={view.open?.id === hitEntity(hit).id}
                onOpen={() => change({ open: hitRef(hit) })}
              />
            ))}
            {found.hasNextPage && (
              <Button size="xs" variant="default" m="sm" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                Load more
              </Button>
            )}
          </div>
          <div className="grid-foot">
            <span role="status">{countText(found.isPlaceholderData, hits.length, page?.total)}</span>
            {found.isFetching && waiting}
            {found.isFetchNextPageError && (
              <div role="alert">
                More results could not be loaded: <ProblemText error={found.error} />
              </div>
            )}
          </div>
        </>
      )}
    </section>
  );
}

function countText(previous: boolean, shown: number, total: number | undefined): string {
  if (previous) return `${formatCount(shown)} previous results`;
  return total !== undefined ? `${formatCount(total)} found` : `${formatCount(shown)} shown; add a word to narrow the search`;
}

function SearchError({ error, retry }: { error: unknown; retry: () => void }) {
  const may = usePermissions();
  if (asProblem(error).code !== 'NOT_FOUND') return <LoadError error={error} subject="the results" retry={retry} />;
  return (
    <EmptyState
      icon={SearchX}
      title="There is no search index yet"
      action={
        may.admin && (
          <Button component={Link} to="/search-indexes" variant="default">
            Create a search index
          </Button>
        )
      }
    >
      {may.admin ? 'A search index defines which properties of which types are searched.' : 'An administrator must create one first.'}
    </EmptyState>
  );
}

function HitRow({ hit, chosen, onOpen }: { hit: Hit; chosen: boolean; onOpen: () => void }) {
  const type = hit.kind === 'node' ? (hit.node.type ?? 'no label') : hit.edge.type;
  return (
    <button type="button" className="hit" aria-current={chosen} onClick={onOpen}>
      <TypeMark kind={hit.kind} type={hit.kind === 'node' ? hit.node.type : hit.edge.type} />
      <span className="hit-name">{hitName(hit)}</span>
      <span className="type-count">{escapeInvisible(type)}</span>
      <span className="hit-text">{hitText(hit)}</span>
    </button>
  );
}
