import { Group, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getNode, listNodes, type Schema } from '../api/graph';
import { newNodes, useProposal } from '../changesets/proposal';
import { propertiesOf } from '../explore/columns';
import { filterParam } from '../explore/filters';
import { usePermissions } from '../session/session';
import { captionOf, shortId, escapeInvisible } from '../values/text';

interface Props {
  label: string;
  schema: Schema;
  value: string;
  onChange: (id: string) => void;
  error?: string;
}

const maxOptions = 200; // nodes of a type in the list

/** Selects a node by type and name, or by its id. */
export function NodePicker({ label, schema, value, onChange, error }: Props) {
  const may = usePermissions();
  const [type, setType] = useState<string | null>(schema.node_types[0]?.type ?? null);
  const [search, setSearch] = useState('');
  const list = useQuery({
    queryKey: ['pick', type],
    queryFn: ({ signal }) => listNodes({ type: type ?? undefined, limit: maxOptions }, signal),
    enabled: may.node.read && type !== null,
  });
  const hasMore = list.data?.page.has_more ?? false;
  // If the type has more nodes than are listed, the service finds those whose name contains the text.
  const [searchTerm] = useDebouncedValue(search.trim(), 300);
  const nameProperty = type === null ? undefined : propertiesOf(schema, 'node', type).find((use) => use.types.includes('String'))?.name;
  const searching = hasMore && nameProperty !== undefined && searchTerm !== '' && !searchTerm.includes('  ');
  const matches = useQuery({
    queryKey: ['pick', type, searchTerm],
    queryFn: ({ signal }) =>
      listNodes({ type: type ?? undefined, limit: maxOptions, filters: [filterParam({ property: nameProperty ?? '', operator: 'icontains', kind: 'String', text: searchTerm })] }, signal),
    enabled: searching,
  });
  const { active, items } = useProposal();
  const proposed = active ? newNodes(items) : new Map<string, never>();
  // The selected node may not be in the list.
  const selected = useQuery({ queryKey: ['pick-node', value], queryFn: async ({ signal }) => (await getNode(value, signal)).data, enabled: may.node.read && value !== '' && !proposed.has(value) });

  const options = new Map<string, string>([...proposed].map(([ref, { name, type }]) => [ref, `${name}  new ${type ?? ''}`]));
  for (const node of [...(matches.data?.items ?? []), ...(list.data?.items ?? [])]) options.set(node.id, `${captionOf(node.properties, node.id)}  ${shortId(node.id)}`);
  if (value && !options.has(value)) options.set(value, selected.data ? `${captionOf(selected.data.properties, value)}  ${shortId(value)}` : value);
  const trimmed = search.trim();
  if (/^([0-9a-f-]{36}|[45]:[0-9a-f-]+:\d+)$/i.test(trimmed) && !options.has(trimmed)) options.set(trimmed, trimmed);

  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      {schema.node_types.length > 0 && (
        <Select
          label={label} aria-label={`${label}: type`} data={schema.node_types.map((t) => ({ value: t.type, label: escapeInvisible(t.type) }))} value={type} onChange={setType} allowDeselect={false} searchable
          w={150} style={{ flex: 'none' }}
        />
      )}
      <Select
        label={schema.node_types.length > 0 ? ' ' : label} aria-label={`${label}: node`} placeholder={may.node.read ? 'Name or ID' : 'ID'} searchable clearable value={value || null} onChange={(id) => onChange(id ?? '')} searchValue={search}
        onSearchChange={setSearch} data={[...options].map(([id, text]) => ({ value: id, label: escapeInvisible(text) }))} limit={60} error={error} style={{ flex: 1 }}
        nothingFoundMessage={searching && matches.isFetching ? 'Searching…' : 'No node found. You can paste an ID.'}
      />
    </Group>
  );
}
