import { Button, Modal, SegmentedControl, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Search, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { getSchema, type EntityKind } from '../api/graph';
import { usePermissions } from '../session/session';
import { IndexStateCell, whileBuilding } from './IndexState';
import { ConfirmDialog } from '../shell/ConfirmDialog';
import { FormFooter, useSubmit } from '../shell/Form';
import { GridTable } from '../shell/GridTable';
import { RowAction } from '../shell/RowAction';
import { LoadError, Loading } from '../shell/States';
import { ListPage } from '../shell/ListPage';
import { notify } from '../shell/notify';
import { pluralize, escapeInvisible } from '../values/text';
import { foldingAnalyzer } from './firstDay';
import { createSearchIndex, deleteSearchIndex, listSearchIndexes, type SearchIndex } from './search';

/** The search indexes, for administrators: Neo4j's full-text indexes. */
export default function IndexesPage() {
  const queries = useQueryClient();
  const list = useQuery({
    queryKey: ['search-indexes'],
    queryFn: listSearchIndexes,
    refetchInterval: whileBuilding,
  });
  const [creating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<SearchIndex | null>(null);
  if (list.isPending) return <Loading subject="the search indexes" />;
  if (list.isLoadingError) return <LoadError error={list.error} subject="the search indexes" retry={() => void list.refetch()} />;

  function finish(title: string, name: string) {
    void queries.invalidateQueries({ queryKey: ['search-indexes'] });
    void queries.invalidateQueries({ queryKey: ['search'] });
    void queries.invalidateQueries({ queryKey: ['schema'] });
    setCreating(false);
    setDeleting(null);
    notify(name, title);
  }
  const button = (
    <Button size="xs" leftSection={<Plus size={15} />} onClick={() => setCreating(true)}>
      New search index
    </Button>
  );
  return (
    <ListPage
      title="Search indexes"
      count={pluralize(list.data.length, 'index', 'indexes')}
      actions={button}
      empty={
        list.data.length === 0
          ? {
              icon: Search,
              title: 'No search indexes',
              text: 'A search index defines which properties of which types are searched. The database keeps it up to date.',
              action: button,
            }
          : null
      }
      dialogs={
        <>
          {creating && <NewIndexDialog onClose={() => setCreating(false)} onDone={(name) => finish('Search index created', name)} />}
          {deleting && (
            <ConfirmDialog
              title="Delete this search index?"
              label="Delete index"
              onClose={() => setDeleting(null)}
              run={async () => {
                await deleteSearchIndex(deleting.name);
                finish('Search index deleted', deleting.name);
              }}
            >
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                <strong>{escapeInvisible(deleting.name)}</strong> is no longer searched. The {deleting.kind}s are kept.
              </Text>
            </ConfirmDialog>
          )}
        </>
      }
    >
      <GridTable
        label="All search indexes"
        head={
          <>
            <th>Name</th>
            <th>Types</th>
            <th>Properties</th>
            <th>Analyzer</th>
            <th>State</th>
            <th aria-label="Delete" />
          </>
        }
      >
        {list.data.map((index) => (
          <IndexRow key={index.name} index={index} onDelete={() => setDeleting(index)} />
        ))}
      </GridTable>
    </ListPage>
  );
}

function IndexRow({ index, onDelete }: { index: SearchIndex; onDelete: () => void }) {
  return (
    <tr>
      <td style={{ fontWeight: 550 }}>{escapeInvisible(index.name)}</td>
      <td>
        {index.types.map(escapeInvisible).join(', ')} <span className="type-count">{index.kind}s</span>
      </td>
      <td>{index.properties.map(escapeInvisible).join(', ')}</td>
      <td>{index.analyzer}</td>
      <IndexStateCell index={index} />
      <td className="right">
        {index.managed ? (
          <RowAction label="Delete" name={`Delete ${escapeInvisible(index.name)}`} icon={Trash2} onClick={onDelete} />
        ) : (
          <Text span size="xs" c="dimmed">
            created in Cypher
          </Text>
        )}
      </td>
    </tr>
  );
}

function NewIndexDialog({ onClose, onDone }: { onClose: () => void; onDone: (name: string) => void }) {
  const may = usePermissions();
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.see });
  const [name, setName] = useState('');
  const [kind, setKind] = useState<EntityKind>('node');
  const [types, setTypes] = useState<string[]>([]);
  const [properties, setProperties] = useState<string[]>([]);
  const [analyzer, setAnalyzer] = useState(foldingAnalyzer);
  const { problem, busy, submit } = useSubmit(async () => {
    await createSearchIndex({ name, kind, types, properties, ...(analyzer.trim() ? { analyzer: analyzer.trim() } : {}) });
    onDone(name);
  });
  const known = (kind === 'node' ? schema.data?.node_types : schema.data?.edge_types) ?? [];
  const textProperties = known
    .filter((t) => types.includes(t.type))
    .flatMap((t) => t.properties.filter((p) => p.types.some((of) => of === 'String' || of === 'List<String>')).map((p) => p.name));
  const fieldError = (of: string) => problem?.details.find((d) => d.field === of || d.field.startsWith(`${of}[`))?.message;
  const unassigned = problem && !['name', 'types', 'properties', 'analyzer'].some(fieldError);

  return (
    <Modal opened onClose={onClose} title="New search index" closeOnClickOutside={false}>
      <form onSubmit={submit} autoComplete="off">
        <Stack gap="sm">
          <TextInput
            label="Name"
            description="Letters, digits, _ and -"
            required
            withAsterisk={false}
            maxLength={64}
            value={name}
            onChange={(e) => setName(e.currentTarget.value)}
            error={fieldError('name')}
            data-autofocus
          />
          <SegmentedControl
            aria-label="Of"
            value={kind}
            onChange={(next) => {
              setKind(next as EntityKind);
              setTypes([]);
              setProperties([]);
            }}
            data={[
              { value: 'node', label: 'Nodes' },
              { value: 'edge', label: 'Edges' },
            ]}
          />
          <TagsInput
            label="Types"
            placeholder={types.length === 0 ? 'One or more' : ''}
            data={known.map((t) => t.type)}
            value={types}
            onChange={setTypes}
            error={fieldError('types')}
            splitChars={[]}
            acceptValueOnBlur
          />
          <TagsInput
            label="Properties"
            description="Texts and lists of texts"
            placeholder={properties.length === 0 ? 'One or more' : ''}
            data={[...new Set(textProperties)]}
            value={properties}
            onChange={setProperties}
            error={fieldError('properties')}
            splitChars={[]}
            acceptValueOnBlur
          />
          <TextInput
            label="Analyzer"
            description="Splits texts into words. standard-folding ignores accents, english uses stems"
            value={analyzer}
            onChange={(e) => setAnalyzer(e.currentTarget.value)}
            error={fieldError('analyzer')}
            spellCheck={false}
          />
          <FormFooter
            label="Create index"
            error={unassigned ? problem.text : null}
            busy={busy}
            disabled={name === '' || types.length === 0 || properties.length === 0}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
