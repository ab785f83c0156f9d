import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { Link } from 'react-router';
import { asProblem } from '../api/problem';
import { CopyMenu } from '../copy/CopyMenu';
import { curl } from '../copy/curl';
import type { View } from '../explore/url';
import { appearanceOf, useAppearanceVersion } from '../explore/appearance';
import { usePermissions } from '../session/session';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { formatCount, escapeInvisible } from '../values/text';
import { hitEntity, hitName, hitRef, hitText } from './hits';
import { search, type Hit } from './search';

const pageSize = 50;

/** Nodes and edges that contain all words, best match first. */
export function SearchResults({ view, change }: { view: View; change: (next: Partial<View>) => void }) {
  useAppearanceVersion();
  const found = useInfiniteQuery({
    queryKey: ['search', 'hits', view.searchText],
    queryFn: ({ pageParam, signal }) => search(view.searchText, { limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.page.next_cursor ?? undefined,
    retry: false,
  });
  const hits = found.data?.pages.flatMap((p) => p.hits) ?? [];
  const page = found.data?.pages[0]?.page;
  return (
    <section className="selection" aria-label="Search results">
      <div className="toolbar">
        <h1>Search: {escapeInvisible(view.searchText)}</h1>
        <span className="spacer" />
        <CopyMenu label="Copy this search as…" items={[{ label: 'curl', text: () => curl({ path: '/api/search', query: { q: view.searchText, limit: pageSize } }) }]} />
      </div>
      {found.isPending && <Loading subject="the results" />}
      {found.isError && hits.length === 0 && <SearchError error={found.error} retry={() => void found.refetch()} />}
      {found.isSuccess && hits.length === 0 && (
        <EmptyState icon={SearchX} title="No results">
          All words must be in the texts of one node or edge. Use * for any ending, as in <em>port*</em>, and quotes for a phrase.
        </EmptyState>
      )}
      {hits.length > 0 && (
        <>
          <div className="hits" role="region" aria-label="Results" tabIndex={0}>
            {hits.map((hit) => (
              <HitRow key={`${hit.kind} ${hitEntity(hit).id}`} hit={hit} chosen={view.open?.id === hitEntity(hit).id} onOpen={() => change({ open: hitRef(hit) })} />
            ))}
            {found.hasNextPage && (
              <Button size="xs" variant="default" m="sm" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                Load more
              </Button>
            )}
          </div>
          <div className="grid-foot" role="status">
            {page?.total !== undefined ? `${formatCount(page.total)} found` : `${formatCount(hits.length)} shown; add a word to narrow the search`}
          </div>
        </>
      )}
    </section>
  );
}

function SearchError({ error, retry }: { error: unknown; retry: () => void }) {
  const may = usePermissions();
  if (asProblem(error).code !== 'NOT_FOUND') return <LoadError error={error} subject="the results" retry={retry} />;
  return (
    <EmptyState
      icon={SearchX} title="There is no search index yet"
      action={may.admin && (
        <Button component={Link} to="/search-indexes" variant="default">
          Create a search index
        </Button>
      )}
    >
      {may.admin ? 'A search index defines which properties of which types are searched.' : 'An administrator must create one first.'}
    </EmptyState>
  );
}

function HitRow({ hit, chosen, onOpen }: { hit: Hit; chosen: boolean; onOpen: () => void }) {
  const type = hit.kind === 'node' ? (hit.node.type ?? 'no label') : hit.edge.type;
  return (
    <button type="button" className="hit" aria-current={chosen} onClick={onOpen}>
      {hit.kind === 'node' ? <span className="dot" style={{ background: appearanceOf(hit.node.type).colour }} /> : <span className="dash" style={{ background: 'var(--muted)' }} />}
      <span className="hit-name">{hitName(hit)}</span>
      <span className="type-count">{escapeInvisible(type)}</span>
      <span className="hit-text">{hitText(hit)}</span>
    </button>
  );
}
