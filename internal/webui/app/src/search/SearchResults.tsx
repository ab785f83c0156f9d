import { Button, NativeSelect } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { getSchema, type EntityKind } from '../api/graph';
import { CopyMenu } from '../copy/CopyMenu';
import { curl } from '../copy/curl';
import { UnknownParameters } from '../explore/UnknownParameters';
import type { View } from '../explore/url';
import { useRecordLoaded, type LastLoaded } from '../explore/useLastLoaded';
import { useAppearanceVersion } from '../explore/appearance';
import { CancellableLoading, Cancelled, EmptyState, LoadError } from '../shell/States';
import { ProblemText } from '../shell/ProblemText';
import { Waiting } from '../shell/Waiting';
import { formatCount, escapeInvisible } from '../values/text';
import { HitList } from './HitList';
import { searchRequest, type Hit, type SearchedType } from './search';
import { useSearch } from './useSearch';
import { WithoutIndex } from './WithoutIndex';

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
  const [only, setOnly] = useState<SearchedType>(null);
  const { queryKey, found, loaded, hits, similar, hasNoIndex } = useSearch(view.searchText, only);
  useRecordLoaded(lastLoaded, view, loaded);
  const cancel = () => {
    void queries.cancelQueries({ queryKey, exact: true });
    if (!loaded) lastLoaded.restore(view.open);
  };
  const cancelled = found.isPending && found.fetchStatus === 'idle';
  const waiting = <Waiting key={view.searchText} subject="the results" onCancel={cancel} />;
  const page = found.data?.pages[0]?.page;
  return (
    <section className="selection" aria-label="Search results" id="content" tabIndex={-1}>
      <UnknownParameters />
      <div className="toolbar">
        <h1>Search: {escapeInvisible(view.searchText)}</h1>
        <TypeChoice only={only} onChange={setOnly} />
        <span className="spacer" />
        {searchField}
        <CopyMenu
          label="Copy this search as…"
          items={[{ label: 'curl', text: () => curl({ path: '/api/search', query: searchRequest(view.searchText, only) }) }]}
        />
      </div>
      {cancelled && <Cancelled subject="the results" retry={() => void found.refetch()} />}
      {!cancelled && (found.isPending || (found.isPlaceholderData && hits.length === 0)) && (
        <CancellableLoading key={view.searchText} subject="the results" onCancel={cancel} />
      )}
      {hasNoIndex && hits.length === 0 && <WithoutIndex words={view.searchText} open={view.open} onOpen={(open) => change({ open })} />}
      {found.isError && !hasNoIndex && hits.length === 0 && (
        <LoadError error={found.error} subject="the results" retry={() => void found.refetch()} />
      )}
      {loaded && hits.length === 0 && <NoResults similar={similar} view={view} change={change} />}
      {hits.length > 0 && (
        <>
          <HitList hits={hits} label="Results" open={view.open} onOpen={(open) => change({ open })} busy={found.isPlaceholderData}>
            {found.hasNextPage && (
              <Button size="xs" variant="default" m="sm" loading={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                Load more
              </Button>
            )}
          </HitList>
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

/** Nothing has all words; similar words may be meant. */
function NoResults({ similar, view, change }: Pick<Props, 'view' | 'change'> & { similar: Hit[] }) {
  if (similar.length === 0)
    return (
      <EmptyState icon={SearchX} title="No results">
        All words must be in the texts of one node or edge. Use * for any ending, as in <em>port*</em>, and quotes for a phrase.
      </EmptyState>
    );
  return (
    <>
      <div className="search-note" role="note">
        Nothing has these words. Did you mean one of these?
      </div>
      <HitList hits={similar} label="Similar results" open={view.open} onOpen={(open) => change({ open })} />
    </>
  );
}

/** Chooses the type to which the results are narrowed. */
function TypeChoice({ only, onChange }: { only: SearchedType; onChange: (only: SearchedType) => void }) {
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema });
  const options = (['node', 'edge'] as const).map((kind) => ({
    group: kind === 'node' ? 'Nodes' : 'Edges',
    items: (kind === 'node' ? (schema.data?.node_types ?? []) : (schema.data?.edge_types ?? [])).map(({ type }) => ({
      value: `${kind} ${type}`,
      label: escapeInvisible(type),
    })),
  }));
  return (
    <NativeSelect
      size="xs"
      aria-label="Type of the results"
      data={[{ value: '', label: 'All types' }, ...options.filter(({ items }) => items.length > 0)]}
      value={only ? `${only.kind} ${only.type}` : ''}
      onChange={(e) => {
        const [kind, ...type] = e.currentTarget.value.split(' ');
        onChange(kind === '' ? null : { kind: kind as EntityKind, type: type.join(' ') });
      }}
    />
  );
}
