// Ctrl-K: everything that has a name, and any id.
import { Spotlight, spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { Hash, Search } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { getSchema } from '../api/graph';
import { explorePath } from '../explore/address';
import { useMay } from '../session/session';
import { count } from '../values/text';

export const openPalette = () => spotlight.open();

// A UUID or what Cypher's elementId() returns.
const idShape = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[45]:[0-9a-f-]+:\d+)$/i;

export function Palette() {
  const may = useMay();
  const go = useNavigate();
  const [query, setQuery] = useState('');
  const { data: schema } = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.read });

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
    { id: 'explore', label: 'Explore', description: 'Tables and graphs of what is stored', onClick: () => void go('/explore') },
    { id: 'schema', label: 'Schema', description: 'Types, properties, indexes', onClick: () => void go('/schema') },
    ...(may.admin ? [{ id: 'users', label: 'Users', description: 'Accounts and permissions', onClick: () => void go('/users') }] : []),
    { id: 'docs', label: 'API documentation', description: 'Every operation, to be tried', onClick: () => void window.open('/docs', '_blank', 'noopener') },
  ];
  const groups: SpotlightActionGroupData[] = [
    ...(types.length > 0 ? [{ group: 'Types', actions: types }] : []),
    { group: 'Pages', actions: pages },
  ];
  const id = query.trim();
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
      nothingFound="Nothing has this name" searchProps={{ leftSection: <Search size={18} />, placeholder: 'Type, page, or the id of a node or edge', 'aria-label': 'Find' }}
    />
  );
}
