import { Button, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Database, FileUp, Lock, Plus } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { getSchema, type EntityKind, type Schema } from '../api/graph';
import { curl } from '../copy/curl';
import { CopyMenu } from '../copy/CopyMenu';
import { listCypher } from '../copy/cypher';
import { CreateEdge } from '../entity/CreateEdge';
import { CreateNode } from '../entity/CreateNode';
import { EntityPanel } from '../entity/EntityPanel';
import { UndoButton } from '../entity/UndoButton';
import { SearchResults } from '../search/SearchResults';
import { useMay } from '../session/session';
import { Empty, Failed, Loading } from '../shell/States';
import { Import, TransferMenu } from '../transfer/TransferMenu';
import { visible } from '../values/text';
import { useView, type View } from './address';
import { learnTypes } from './appearance';
import { columnsOf, filterable } from './columns';
import { FilterBar } from './FilterBar';
import { parameterOf } from './filters';
import { EntityTable } from './EntityTable';
import { firstPage, useList } from './lists';
import { TypeList } from './TypeList';

const CanvasView = lazy(() => import('../canvas/CanvasView'));

/** What is being added: one entity, or a file of them. */
type Making = EntityKind | 'import' | null;

const nothing: Schema = { as_of: '', constraints: [], edge_types: [], indexes: [], node_types: [] };

export function ExplorePage() {
  const may = useMay();
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.read });
  const [view, change] = useView();
  const [creating, setCreating] = useState<Making>(null);

  useEffect(() => {
    if (schema.data) learnTypes(schema.data);
  }, [schema.data]);

  const known = schema.data ?? nothing;
  const dialogs = (
    <>
      {creating === 'node' && <CreateNode schema={known} type={view.kind === 'node' ? view.type : null} onClose={() => setCreating(null)} onCreated={(id) => may.read && change({ open: { kind: 'node', id } })} />}
      {creating === 'import' && <Import onClose={() => setCreating(null)} />}
      {creating === 'edge' && <CreateEdge schema={known} type={view.kind === 'edge' ? view.type : null} onClose={() => setCreating(null)} onCreated={(id) => may.read && change({ open: { kind: 'edge', id } })} />}
    </>
  );

  if (!may.read) return <Closed onCreate={setCreating} dialogs={dialogs} />;
  if (schema.isPending) return <Loading what="the types" />;
  if (schema.isError) return <Failed error={schema.error} what="the graph" retry={() => void schema.refetch()} />;
  if (known.node_types.length === 0 && known.edge_types.length === 0) {
    return (
      <>
        <Empty
          icon={Database} title="The graph is empty"
          action={may.create && (
            <div style={{ display: 'flex', gap: 8 }}>
              <Button leftSection={<Plus size={16} />} onClick={() => setCreating('node')}>
                Create the first node
              </Button>
              <ImportButton onClick={() => setCreating('import')} />
            </div>
          )}
        >
          There are no nodes in this database yet. What others write with Cypher shows up here by itself.
        </Empty>
        {dialogs}
      </>
    );
  }
  return (
    <div className="explore">
      <TypeList schema={known} view={view} onCreate={setCreating} />
      {view.words ? <SearchResults key={view.words} view={view} change={change} /> : <Selected schema={known} view={view} change={change} onImport={() => setCreating('import')} />}
      {view.open && <EntityPanel key={`${view.open.kind}:${view.open.id}`} place={view.open} schema={known} onClose={() => change({ open: null })} onOpen={(open) => change({ open })} />}
      {dialogs}
    </div>
  );
}

function ImportButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" leftSection={<FileUp size={16} />} onClick={onClick}>
      Import a file
    </Button>
  );
}

/** For users who may not read: what they may do all the same. */
function Closed({ onCreate, dialogs }: { onCreate: (what: Making) => void; dialogs: React.ReactNode }) {
  const may = useMay();
  return (
    <>
      <Empty
        icon={Lock} title="You may not read the graph"
        action={may.create && (
          <div style={{ display: 'flex', gap: 8 }}>
            <Button leftSection={<Plus size={16} />} onClick={() => onCreate('node')}>
              Create a node
            </Button>
            <Button variant="default" leftSection={<Plus size={16} />} onClick={() => onCreate('edge')}>
              Create an edge
            </Button>
            <ImportButton onClick={() => onCreate('import')} />
          </div>
        )}
      >
        {may.create ? 'You may add to it without seeing what is there.' : 'Ask an administrator for the permission read.'}
      </Empty>
      {dialogs}
    </>
  );
}

function Selected({ schema, view, change, onImport }: { schema: Schema; view: View; change: (next: Partial<View>) => void; onImport: () => void }) {
  const list = useList(view);
  const firstRows = list.data?.pages[0]?.items;
  const columns = useMemo(() => columnsOf(schema, { kind: view.kind, type: view.type }, firstRows), [schema, view.kind, view.type, firstRows]);
  const what = view.type === null ? (view.kind === 'node' ? 'nodes' : 'edges') : `${view.type} ${view.kind === 'node' ? 'nodes' : 'edges'}`;
  const known = useMemo(() => filterable(schema, view.kind, view.type), [schema, view.kind, view.type]);
  const expected = (view.kind === 'node' ? schema.node_types : schema.edge_types).find((t) => t.type === view.type)?.count;
  const title = view.type ?? (view.kind === 'node' ? 'All nodes' : 'All edges');

  return (
    <section className="selection" aria-label={what}>
      <div className="toolbar">
        <h1 title={title}>{visible(title)}</h1>
        <span className="spring" />
        <FilterBar conditions={view.conditions} known={known} onChange={(conditions) => change({ conditions, steps: '' })} />
        <UndoButton />
        <CopyMenu
          label="Copy this list as…"
          items={[
            { label: 'Cypher', text: () => listCypher(view, firstPage) },
            { label: 'curl', text: () => curl({ path: `/api/${view.kind}s`, filters: view.conditions.map(parameterOf), query: { type: view.type ?? undefined, sort: view.sort || undefined, limit: firstPage } }) },
          ]}
        />
        <TransferMenu view={view} onImport={onImport} />
        <SegmentedControl
          size="xs" aria-label="Show as" value={view.view} onChange={(next) => change({ view: next as View['view'] })}
          data={[{ value: 'table', label: 'Table' }, { value: 'graph', label: 'Graph' }]}
        />
      </div>
      {view.view === 'table' ? (
        <EntityTable key={`${view.kind}:${view.type} ${view.sort} ${JSON.stringify(view.conditions)}`} list={list} columns={columns} view={view} what={what} expected={view.conditions.length === 0 ? expected : undefined} onOpen={(row) => change({ open: { kind: view.kind, id: row.id } })} onSort={(sort) => change({ sort })} />
      ) : (
        <Suspense fallback={<Loading what="the canvas" />}>
          <CanvasView key={`${view.kind}:${view.type} ${JSON.stringify(view.conditions)}`} list={list} view={view} change={change} schema={schema} />
        </Suspense>
      )}
    </section>
  );
}
