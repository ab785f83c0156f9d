import { Group, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listNodes, type GraphNode, type Schema } from '../api/graph';
import { newNodes, useProposal } from '../changesets/proposal';
import { propertiesOf } from '../explore/columns';
import { filterParam } from '../explore/filters';
import { usePermissions } from '../session/session';
import { captionOf, captionOrId, shortId, escapeInvisible } from '../values/text';
import type { EndTypes } from './ends';

interface Props {
  label: string;
  schema: Schema;
  value: string;
  /** The node with this id, as far as it is known. */
  node: GraphNode | undefined;
  /** The types of the nodes to choose from; of observed ones, others can be chosen too. */
  ends: EndTypes;
  onChange: (id: string) => void;
  error?: string;
  warning?: string;
}

const maxOptions = 200; // nodes of a type in the list

/** The nodes of a type to choose from, those first whose name contains the text if there are more than are listed. */
function useNodesOfType(schema: Schema, type: string | null, search: string) {
  const may = usePermissions();
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
      listNodes(
        {
          type: type ?? undefined,
          limit: maxOptions,
          filters: [filterParam({ property: nameProperty ?? '', operator: 'icontains', kind: 'String', text: searchTerm })],
        },
        signal,
      ),
    enabled: searching,
  });
  const listed = [...(matches.data?.items ?? []), ...(list.data?.items ?? [])];
  return { listed, isSearching: searching && matches.isFetching };
}

/** Selects a node by type and name, or by its id. */
export function NodePicker({ label, schema, value, node, ends, onChange, error, warning }: Props) {
  const may = usePermissions();
  const queries = useQueryClient();
  const [chosenType, setChosenType] = useState<string | null>(null);
  const known = schema.node_types.map((t) => t.type);
  const fitting = known.filter((name) => ends.types.includes(name));
  const offered = ends.declared ? fitting : known;
  // The nodes to choose from are those of a type; once one is chosen, its own type is shown.
  const type = chosenType !== null && offered.includes(chosenType) ? chosenType : (fitting[0] ?? offered[0] ?? null);
  const shownType = value === '' ? type : (node?.type ?? null);
  const [search, setSearch] = useState('');
  const { listed, isSearching } = useNodesOfType(schema, type, search);
  const { active, items } = useProposal();
  const proposed = active ? newNodes(items) : new Map<string, never>();
  const options = new Map<string, string>([...proposed].map(([ref, { name, type }]) => [ref, `${name}  new ${type ?? ''}`]));
  for (const item of listed) options.set(item.id, `${captionOf(item.properties, item.id)}  ${shortId(item.id)}`);
  // The chosen node may not be in the list.
  if (value && !options.has(value))
    options.set(
      value,
      node ? `${node.partial ? captionOrId(node.partial.caption, value) : captionOf(node.properties, value)}  ${shortId(value)}` : value,
    );
  const trimmed = search.trim();
  if (/^([0-9a-f-]{36}|[45]:[0-9a-f-]+:\d+)$/i.test(trimmed) && !options.has(trimmed)) options.set(trimmed, trimmed);

  function choose(id: string) {
    const item = listed.find((entry) => entry.id === id);
    if (item) queries.setQueryData(['pick-node', id], item);
    onChange(id);
  }
  function chooseType(next: string | null) {
    setChosenType(next);
    if (value !== '' && node?.type !== next) onChange('');
  }
  const group = (name: string, names: string[]) => ({
    group: name,
    items: names.map((item) => ({ value: item, label: escapeInvisible(item) })),
  });
  const others = offered.filter((name) => !fitting.includes(name));
  // A node that is chosen may have a type that is not offered.
  const own = shownType !== null && !offered.includes(shownType) ? [shownType] : [];
  const types =
    fitting.length > 0 && others.length > 0
      ? [group('Connected', fitting), group('Others', [...others, ...own])]
      : [...offered, ...own].map((item) => ({ value: item, label: escapeInvisible(item) }));

  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      {schema.node_types.length > 0 && (
        <Select
          label={label}
          aria-label={`${label}: type`}
          data={types}
          value={shownType}
          placeholder={value === '' ? '' : 'not known'}
          onChange={chooseType}
          allowDeselect={false}
          searchable
          // In a narrow window the name of the node needs the room more.
          style={{ flex: '0 3 150px' }}
        />
      )}
      <Select
        label={schema.node_types.length > 0 ? ' ' : label}
        aria-label={`${label}: node`}
        placeholder={may.node.read ? 'Name or ID' : 'ID'}
        searchable
        clearable
        value={value || null}
        onChange={(id) => choose(id ?? '')}
        searchValue={search}
        onSearchChange={setSearch}
        data={[...options].map(([id, text]) => ({ value: id, label: escapeInvisible(text) }))}
        limit={60}
        error={error}
        description={error ? undefined : warning}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        style={{ flex: '1 1 140px' }}
        nothingFoundMessage={isSearching ? 'Searching…' : 'No node found. You can paste an ID.'}
      />
    </Group>
  );
}
