import { ActionIcon, Button, Group, Modal, SegmentedControl, Stack, TagsInput, Text, TextInput, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Search, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { getSchema, type EntityKind } from '../api/graph';
import { useMay } from '../session/session';
import { ConfirmDelete } from '../shell/ConfirmDelete';
import { FormEnd, useSubmit } from '../shell/Form';
import { Empty, Failed, Loading } from '../shell/States';
import { tell } from '../shell/tell';
import { plural, visible } from '../values/text';
import { createSearchIndex, deleteSearchIndex, listSearchIndexes, type SearchIndex } from './search';

/** Which texts can be searched: the full-text indexes of the database. */
export default function IndexesPage() {
  const queries = useQueryClient();
  const list = useQuery({ queryKey: ['search-indexes'], queryFn: listSearchIndexes, refetchInterval: (query) => (query.state.data?.some((i) => i.state === 'building') ? 2000 : false) });
  const [making, setMaking] = useState(false);
  const [deleting, setDeleting] = useState<SearchIndex | null>(null);
  if (list.isPending) return <Loading what="the search indexes" />;
  if (list.isError) return <Failed error={list.error} what="the search indexes" retry={() => void list.refetch()} />;

  function again(title: string, name: string) {
    void queries.invalidateQueries({ queryKey: ['search-indexes'] });
    void queries.invalidateQueries({ queryKey: ['search'] });
    void queries.invalidateQueries({ queryKey: ['schema'] });
    setMaking(false);
    setDeleting(null);
    tell(name, title);
  }
  const button = (
    <Button size="xs" leftSection={<Plus size={15} />} onClick={() => setMaking(true)}>
      New search index
    </Button>
  );
  return (
    <div className="page">
      <div className="page-inner">
        <Group mb="md">
          <h1 style={{ margin: 0, fontSize: '1.2rem' }}>Search indexes</h1>
          <Text size="sm" c="dimmed">
            {plural(list.data.length, 'index', 'indexes')}
          </Text>
          <span className="spring" />
          {list.data.length > 0 && button}
        </Group>
        {list.data.length === 0 ? (
          <Empty icon={Search} title="Nothing can be searched yet" action={button}>
            A search index says which texts of which types are searched. The database keeps it up to date.
          </Empty>
        ) : (
          <div className="card scroll-x" tabIndex={0} role="region" aria-label="All search indexes">
            <table className="plain-table">
              <thead>
                <tr>
                  <th>Name</th>
                  <th>Types</th>
                  <th>Properties</th>
                  <th>Analyzer</th>
                  <th>State</th>
                  <th aria-label="Delete" />
                </tr>
              </thead>
              <tbody>
                {list.data.map((index) => (
                  <IndexRow key={index.name} index={index} onDelete={() => setDeleting(index)} />
                ))}
              </tbody>
            </table>
          </div>
        )}
      </div>
      {making && <NewIndexDialog onClose={() => setMaking(false)} onDone={(name) => again('Search index created', name)} />}
      {deleting && (
        <ConfirmDelete title="Delete this search index?" label="Delete index" onClose={() => setDeleting(null)} run={async () => { await deleteSearchIndex(deleting.name); again('Search index deleted', deleting.name); }}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            What only <strong>{visible(deleting.name)}</strong> holds is no longer found. The {deleting.kind}s stay.
          </Text>
        </ConfirmDelete>
      )}
    </div>
  );
}

function IndexRow({ index, onDelete }: { index: SearchIndex; onDelete: () => void }) {
  const state = index.state === 'building' ? `building, ${Math.floor(index.progress)} %` : index.state;
  return (
    <tr>
      <td style={{ fontWeight: 550 }}>{visible(index.name)}</td>
      <td>
        {index.types.map(visible).join(', ')} <span className="type-count">{index.kind}s</span>
      </td>
      <td>{index.properties.map(visible).join(', ')}</td>
      <td>{index.analyzer}</td>
      <td style={{ whiteSpace: 'nowrap', color: index.state === 'failed' ? 'var(--mantine-color-error)' : undefined }}>
        {state}
      </td>
      <td className="right">
        {index.managed ? (
          <Tooltip label="Delete">
            <ActionIcon aria-label={`Delete ${visible(index.name)}`} onClick={onDelete}>
              <Trash2 size={16} />
            </ActionIcon>
          </Tooltip>
        ) : (
          <Text span size="xs" c="dimmed">
            made in Cypher
          </Text>
        )}
      </td>
    </tr>
  );
}

function NewIndexDialog({ onClose, onDone }: { onClose: () => void; onDone: (name: string) => void }) {
  const may = useMay();
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.read });
  const [name, setName] = useState('');
  const [kind, setKind] = useState<EntityKind>('node');
  const [types, setTypes] = useState<string[]>([]);
  const [properties, setProperties] = useState<string[]>([]);
  const [analyzer, setAnalyzer] = useState('');
  const { problem, busy, submit } = useSubmit(async () => {
    await createSearchIndex({ name, kind, types, properties, ...(analyzer.trim() ? { analyzer: analyzer.trim() } : {}) });
    onDone(name);
  });
  const known = (kind === 'node' ? schema.data?.node_types : schema.data?.edge_types) ?? [];
  const texts = known.filter((t) => types.includes(t.type)).flatMap((t) => t.properties.filter((p) => p.types.some((of) => of === 'String' || of === 'List<String>')).map((p) => p.name));
  const field = (of: string) => problem?.details.find((d) => d.field === of || d.field.startsWith(`${of}[`))?.message;
  const elsewhere = problem && !['name', 'types', 'properties', 'analyzer'].some(field);

  return (
    <Modal opened onClose={onClose} title="New search index" closeOnClickOutside={false}>
      <form onSubmit={submit} autoComplete="off">
        <Stack gap="sm">
          <TextInput label="Name" description="Letters, digits, _ and -" required withAsterisk={false} maxLength={64} value={name} onChange={(e) => setName(e.currentTarget.value)} error={field('name')} data-autofocus />
          <SegmentedControl aria-label="Of" value={kind} onChange={(next) => { setKind(next as EntityKind); setTypes([]); setProperties([]); }} data={[{ value: 'node', label: 'Nodes' }, { value: 'edge', label: 'Edges' }]} />
          <TagsInput label="Types" placeholder={types.length === 0 ? 'One or more' : ''} data={known.map((t) => t.type)} value={types} onChange={setTypes} error={field('types')} splitChars={[]} acceptValueOnBlur />
          <TagsInput label="Properties" description="Texts and lists of texts" placeholder={properties.length === 0 ? 'One or more' : ''} data={[...new Set(texts)]} value={properties} onChange={setProperties} error={field('properties')} splitChars={[]} acceptValueOnBlur />
          <TextInput label="Analyzer" description="How texts are cut into words: empty for the usual, or such as english, standard-folding" value={analyzer} onChange={(e) => setAnalyzer(e.currentTarget.value)} error={field('analyzer')} spellCheck={false} />
          <FormEnd label="Create index" refusal={elsewhere ? problem.text : null} busy={busy} disabled={name === '' || types.length === 0 || properties.length === 0} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
