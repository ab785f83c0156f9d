// Finds a node on the canvas, or in the graph by its words or its id.
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { search, withPrefixMatch } from '../search/search';
import { hitName } from '../search/hits';
import { escapeInvisible } from '../values/text';
import type { Item } from './ItemList';

interface Props {
  label: string;
  /** The nodes on the canvas that can be chosen. */
  items: Item[];
  onChoose: (id: string) => void;
}

const idShape = /^([0-9a-f-]{36}|[45]:[0-9a-f-]+:\d+)$/i;
const typingPause = 300; // milliseconds

export function NodeSearch({ label, items, onChoose }: Props) {
  const [text, setText] = useState('');
  const [words] = useDebouncedValue(text.trim(), typingPause);
  const found = useQuery({
    queryKey: ['search', 'canvas', words],
    queryFn: async ({ signal }) => (await search(withPrefixMatch(words), { limit: 20 }, signal)).hits,
    enabled: words.length > 1 && !idShape.test(words),
    retry: false, // without a search index there are no hits
  });
  const texts = new Map(items.map((item) => [item.id, `${item.label}${item.type === null ? '' : `  ${escapeInvisible(item.type)}`}`]));
  const hits = (found.data ?? []).flatMap((hit) => (hit.kind === 'node' && !texts.has(hit.node.id) ? [hit] : []));
  const data = [
    ...(items.length > 0 ? [{ group: 'On the canvas', items: [...texts].map(([value, name]) => ({ value, label: name })) }] : []),
    ...(hits.length > 0
      ? [
          {
            group: 'In the graph',
            items: hits.map((hit) => ({ value: hit.node.id, label: `${hitName(hit)}  ${escapeInvisible(hit.node.type ?? '')}` })),
          },
        ]
      : []),
    ...(idShape.test(text.trim()) && !texts.has(text.trim()) ? [{ group: 'By ID', items: [text.trim()] }] : []),
  ];
  return (
    <Select
      size="xs"
      label={label}
      placeholder="Name, words or ID"
      searchable
      data-autofocus
      data={data}
      limit={60}
      // The service has found the hits by other properties too.
      filter={({ options, search: typed }) => {
        const wanted = typed.trim().toLowerCase();
        return options.map((group) =>
          'group' in group && group.group === 'On the canvas'
            ? { ...group, items: group.items.filter((item) => item.label.toLowerCase().includes(wanted)) }
            : group,
        );
      }}
      value={null}
      searchValue={text}
      onSearchChange={setText}
      onChange={(id) => id !== null && onChoose(id)}
      nothingFoundMessage={found.isFetching ? 'Searching…' : 'No node found. You can paste an ID.'}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
