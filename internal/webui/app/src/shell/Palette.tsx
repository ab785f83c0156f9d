// The command palette (Ctrl-K): types, pages, ids and search hits.
import { createSpotlight, Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useDebouncedValue, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Hash, Search } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useNavigate, type NavigateFunction } from 'react-router';
import { addressOf } from '../api/address';
import { getSchema, type Schema } from '../api/graph';
import { explorePath } from '../explore/url';
import { withPrefixMatch, search, type Hit } from '../search/search';
import { hitName, hitRef } from '../search/hits';
import { usePermissions } from '../session/session';
import { formatCount, escapeInvisible } from '../values/text';
import { visibleAdminPages, visiblePages } from './pages';

const [store, palette] = createSpotlight();

export const openPalette = () => palette.open();

/** Opens the palette with the keyboard, also from a text field, but not above a dialog, which it would leave. */
function openWithKeyboard() {
  if (!document.querySelector('[role="dialog"][aria-modal="true"]')) openPalette();
}

/** Selects the first entry: the one that Enter takes. Spotlight itself selects one only when the text changes, before the entries do. */
function selectFirst() {
  const entries = document.getElementById(store.getState().listId)?.querySelectorAll('[data-action]') ?? [];
  entries.forEach((entry, index) => (index === 0 ? entry.setAttribute('data-selected', 'true') : entry.removeAttribute('data-selected')));
  store.updateState((state) => ({ ...state, selected: entries.length > 0 ? 0 : -1 }));
}

// A UUID or an element id, as of Cypher's elementId().
const idShape = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[45]:[0-9a-f-]+:\d+)$/i;

const hitType = (hit: Hit) => (hit.kind === 'node' ? (hit.node.type ?? 'no label') : hit.edge.type);

const buildTypeActions = (schema: Schema | undefined, navigate: NavigateFunction): SpotlightActionData[] => [
  ...(schema?.node_types ?? []).map((t) => ({
    id: `node ${t.type}`,
    label: t.type,
    description: t.count === null ? 'some nodes' : `${formatCount(t.count)} nodes`,
    onClick: () => void navigate(explorePath({ kind: 'node', type: t.type })),
  })),
  ...(schema?.edge_types ?? []).map((t) => ({
    id: `edge ${t.type}`,
    label: t.type,
    description: t.count === null ? 'some edges' : `${formatCount(t.count)} edges`,
    onClick: () => void navigate(explorePath({ kind: 'edge', type: t.type })),
  })),
];

const buildPageActions = (may: ReturnType<typeof usePermissions>, navigate: NavigateFunction): SpotlightActionData[] => [
  ...[...visiblePages(may), ...visibleAdminPages(may)].map((page) => ({
    id: page.path,
    label: page.name,
    description: page.description,
    onClick: () => void navigate(page.path),
  })),
  {
    id: 'docs',
    label: 'API documentation',
    description: 'All operations, with examples to run',
    onClick: () => void window.open(addressOf('/docs'), '_blank', 'noopener'),
  },
];

const buildHitAction = (hit: Hit, searchText: string, navigate: NavigateFunction): SpotlightActionData => ({
  id: `hit ${hit.kind} ${hitRef(hit).id}`,
  label: hitName(hit),
  description: `${escapeInvisible(hitType(hit))}: ${hit.matched.map(escapeInvisible).join(', ')}`,
  keywords: searchText,
  onClick: () =>
    void navigate(explorePath({ kind: hit.kind, type: hit.kind === 'node' ? (hit.node.type ?? null) : hit.edge.type, open: hitRef(hit) })),
});

export function Palette() {
  const may = usePermissions();
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const { data: schema } = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.see });

  const searchText = query.trim();
  // Debounced, because every search is a request.
  const [searchTerm] = useDebouncedValue(searchText, 300);
  const found = useQuery({
    queryKey: ['search', 'palette', searchTerm],
    queryFn: ({ signal }) => search(withPrefixMatch(searchTerm), { limit: 7 }, signal),
    enabled: may.see && searchTerm.length > 1 && !idShape.test(searchTerm),
    retry: false,
  });

  useHotkeys([['mod+K', openWithKeyboard]], []);
  // Once the user has moved the selection, new entries do not move it.
  const moved = useRef(false);
  useEffect(() => {
    if (!moved.current) selectFirst();
  }, [query, found.data]);

  const types = buildTypeActions(schema, navigate);
  const pages = buildPageActions(may, navigate);
  const groups: SpotlightActionGroupData[] = [
    ...(types.length > 0 ? [{ group: 'Types', actions: types }] : []),
    { group: 'Pages', actions: pages },
  ];
  if (may.see && searchText !== '' && !idShape.test(searchText)) {
    const hits = (found.data?.hits ?? []).slice(0, 7).map((hit) => buildHitAction(hit, searchText, navigate));
    const all = {
      id: 'search',
      label: `Search for “${escapeInvisible(searchText)}”`,
      keywords: searchText,
      leftSection: <Search size={18} />,
      onClick: () => void navigate(explorePath({ searchText })),
    };
    groups.push({ group: 'Search results', actions: [...hits, all] });
  }
  const id = searchText;
  if (may.see && idShape.test(id)) {
    const open = (kind: 'node' | 'edge') => () => void navigate(explorePath({ kind, type: null, open: { kind, id } }));
    groups.unshift({
      group: 'By ID',
      actions: [
        { id: 'open node', label: `Open node ${id}`, keywords: id, leftSection: <Hash size={18} />, onClick: open('node') },
        { id: 'open edge', label: `Open edge ${id}`, keywords: id, leftSection: <Hash size={18} />, onClick: open('edge') },
      ],
    });
  }
  return (
    <Spotlight
      store={store}
      actions={groups}
      query={query}
      onQueryChange={(text) => {
        moved.current = false;
        setQuery(text);
      }}
      shortcut={null}
      highlightQuery
      limit={12}
      scrollable
      maxHeight={420}
      nothingFound="No matches"
      searchProps={{
        leftSection: <Search size={18} />,
        placeholder: 'Type, page, text in the graph, or an ID',
        'aria-label': 'Find',
        onKeyDown: (event: KeyboardEvent) => (moved.current ||= event.key.startsWith('Arrow')),
      }}
    />
  );
}
