// Ctrl-K: everything that has a name, and any id.
import { Spotlight, spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Hash, Search } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { getSchema } from '../api/graph';
import { explorePath } from '../explore/address';
import { beginnings, search, type Hit } from '../search/search';
import { hitName, hitPlace } from '../search/hits';
import { useMay } from '../session/session';
import { count, visible } from '../values/text';
import { pagesFor } from './pages';

export const openPalette = () => spotlight.open();

// A UUID or what Cypher's elementId() returns.
const idShape = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[45]:[0-9a-f-]+:\d+)$/i;

const hitTypes = (hit: Hit) => (hit.kind === 'node' ? (hit.node.type ?? 'no label') : hit.edge.type);

export function Palette() {
  const may = useMay();
  const go = useNavigate();
  const [query, setQuery] = useState('');
  const { data: schema } = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.read });

  const words = query.trim();
  // Once the typing rests: every search is a request.
  const [sought] = useDebouncedValue(words, 300);
  const found = useQuery({ queryKey: ['search', 'palette', sought], queryFn: ({ signal }) => search(beginnings(sought), { limit: 7 }, signal), enabled: may.read && sought.length > 1 && !idShape.test(sought), retry: false });

  const types: SpotlightActionData[] = [
    ...(schema?.node_types ?? []).map((t) => ({
      id: `node ${t.type}`,
      label: t.type,
      description: `${count(t.count)} nodes`,
      onClick: () => void go(explorePath({ kind: 'node', type: t.type })),
    })),
    ...(schema?.edge_types ?? []).map((t) => ({
      id: `edge ${t.type}`,
      label: t.type,
      description: `${count(t.count)} edges`,
      onClick: () => void go(explorePath({ kind: 'edge', type: t.type })),
    })),
  ];
  const pages: SpotlightActionData[] = [
    ...pagesFor(may.admin).map((page) => ({ id: page.path, label: page.name, description: page.description, onClick: () => void go(page.path) })),
    { id: 'docs', label: 'API documentation', description: 'Every operation, to be tried', onClick: () => void window.open('/docs', '_blank', 'noopener') },
  ];
  const groups: SpotlightActionGroupData[] = [
    ...(types.length > 0 ? [{ group: 'Types', actions: types }] : []),
    { group: 'Pages', actions: pages },
  ];
  if (may.read && words !== '' && !idShape.test(words)) {
    const hits = (found.data?.hits ?? []).slice(0, 7).map((hit) => ({
      id: `hit ${hit.kind} ${hitPlace(hit).id}`, label: hitName(hit), description: `${visible(hitTypes(hit))}: ${hit.matched.map(visible).join(', ')}`, keywords: words,
      onClick: () => void go(explorePath({ kind: hit.kind, type: hit.kind === 'node' ? (hit.node.type ?? null) : hit.edge.type, open: hitPlace(hit) })),
    }));
    const all = { id: 'search', label: `Search for “${visible(words)}”`, keywords: words, leftSection: <Search size={18} />, onClick: () => void go(explorePath({ words })) };
    groups.push({ group: 'In the database', actions: [...hits, all] });
  }
  const id = words;
  if (may.read && idShape.test(id)) {
    const open = (kind: 'node' | 'edge') => () => void go(explorePath({ kind, type: null, open: { kind, id } }));
    groups.unshift({
      group: 'By id',
      actions: [
        { id: 'open node', label: `Open node ${id}`, keywords: id, leftSection: <Hash size={18} />, onClick: open('node') },
        { id: 'open edge', label: `Open edge ${id}`, keywords: id, leftSection: <Hash size={18} />, onClick: open('edge') },
      ],
    });
  }
  return (
    <Spotlight
      actions={groups} query={query} onQueryChange={setQuery} shortcut="mod + K" highlightQuery limit={12} scrollable maxHeight={420}
      nothingFound="Nothing has this name" searchProps={{ leftSection: <Search size={18} />, placeholder: 'Type, page, words in the graph, or an id', 'aria-label': 'Find' }}
    />
  );
}
