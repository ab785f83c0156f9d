import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Database, FileUp, Lock, Plus } from 'lucide-react';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { onDemand } from '../api/onDemand';
import { emptySchema, getSchema, type EntityKind } from '../api/graph';
import { useEditPermissions } from '../changesets/proposal';
import { SearchField } from '../search/SearchField';
import { SearchResults } from '../search/SearchResults';
import { usePermissions } from '../session/session';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { Import } from '../transfer/TransferMenu';
import { useView } from './url';
import { TypeList } from './TypeList';
import { PanelEdge } from './PanelEdge';
import { ListPane } from './ListPane';
import { loadPanel, prefetchView } from './prefetch';
import { usePanels } from './usePanels';
import { useEscape } from './useEscape';
import { useLastLoaded } from './useLastLoaded';

const CreateEdge = onDemand(() => import('../entity/CreateEdge').then(({ CreateEdge: component }) => ({ default: component })));
const CreateNode = onDemand(() => import('../entity/CreateNode').then(({ CreateNode: component }) => ({ default: component })));
const EntityPanel = onDemand(loadPanel);

/** The open dialog: a new node or edge, or an import. */
type CreateDialog = EntityKind | 'import' | null;

export function ExplorePage() {
  const may = useEditPermissions();
  const queries = useQueryClient();
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.see });
  const [view, change] = useView();
  const [dialog, setDialog] = useState<CreateDialog>(null);
  const lastLoaded = useLastLoaded();

  useEffect(() => {
    // The first rows are read beside the types, not after them.
    if (may.see && schema.isPending) prefetchView(queries, view);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only for the view that is opened first
  }, []);

  const layout = usePanels(view);
  useEscape(view.open !== null, () => change({ open: null }));

  const known = schema.data ?? emptySchema;
  const dialogs = (
    <Suspense>
      {dialog === 'node' && (
        <CreateNode
          schema={known}
          type={view.kind === 'node' ? view.type : null}
          onClose={() => setDialog(null)}
          onCreated={(id) => may.node.read && change({ open: { kind: 'node', id } })}
        />
      )}
      {dialog === 'import' && <Import onClose={() => setDialog(null)} />}
      {dialog === 'edge' && (
        <CreateEdge
          schema={known}
          type={view.kind === 'edge' ? view.type : null}
          onClose={() => setDialog(null)}
          onCreated={(id) => may.edge.read && change({ open: { kind: 'edge', id } })}
        />
      )}
    </Suspense>
  );

  if (!may.see) return <CreateOnly onCreate={setDialog} dialogs={dialogs} />;
  if (schema.isPending) return <Loading subject="the types" />;
  if (schema.isLoadingError) return <LoadError error={schema.error} subject="the graph" retry={() => void schema.refetch()} />;
  if (known.node_types.length === 0 && known.edge_types.length === 0) {
    return (
      <>
        <EmptyGraph onCreate={setDialog} />
        {dialogs}
      </>
    );
  }
  // The field stands above the types, or beside the title while they are folded.
  const search = layout.folded ? <SearchField words={view.searchText} /> : null;
  return (
    <div className="explore" data-folded={layout.folded || undefined} data-graph={view.view === 'graph' || undefined} style={layout.style}>
      <TypeList schema={known} view={view} onCreate={setDialog} layout={layout} />
      <main className="explore-main">
        {view.searchText ? (
          <SearchResults view={view} change={change} lastLoaded={lastLoaded} search={search} />
        ) : (
          <ListPane
            schema={known}
            view={view}
            change={change}
            lastLoaded={lastLoaded}
            search={search}
            onImport={() => setDialog('import')}
          />
        )}
      </main>
      <Suspense>
        {view.open && (
          <EntityPanel
            key={`${view.open.kind}:${view.open.id}`}
            target={view.open}
            schema={known}
            tab={view.tab}
            edge={<PanelEdge name="panel" label="Width of the panel" layout={layout} />}
            onTab={(tab) => change({ tab })}
            onClose={() => change({ open: null })}
            onOpen={(open) => change({ open })}
          />
        )}
      </Suspense>
      {dialogs}
    </div>
  );
}

function EmptyGraph({ onCreate }: { onCreate: (what: CreateDialog) => void }) {
  const may = useEditPermissions();
  return (
    <EmptyState
      icon={Database}
      title="The graph is empty"
      action={
        may.node.create && (
          <div style={{ display: 'flex', gap: 8 }}>
            <Button leftSection={<Plus size={16} />} onClick={() => onCreate('node')}>
              Create the first node
            </Button>
            {!may.proposing && <ImportButton onClick={() => onCreate('import')} />}
          </div>
        )
      }
    >
      The database contains no nodes yet. Data written with Cypher appears here automatically.
    </EmptyState>
  );
}

function ImportButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" leftSection={<FileUp size={16} />} onClick={onClick}>
      Import a file
    </Button>
  );
}

/** For users who may not read anything: what they may create. */
function CreateOnly({ onCreate, dialogs }: { onCreate: (what: CreateDialog) => void; dialogs: ReactNode }) {
  const may = usePermissions();
  const mayCreate = may.node.create || may.edge.create;
  return (
    <>
      <EmptyState
        icon={Lock}
        title="You may not read the graph"
        action={
          mayCreate && (
            <div style={{ display: 'flex', gap: 8 }}>
              {may.node.create && (
                <Button leftSection={<Plus size={16} />} onClick={() => onCreate('node')}>
                  Create a node
                </Button>
              )}
              {may.edge.create && (
                <Button variant="default" leftSection={<Plus size={16} />} onClick={() => onCreate('edge')}>
                  Create an edge
                </Button>
              )}
              <ImportButton onClick={() => onCreate('import')} />
            </div>
          )
        }
      >
        {mayCreate
          ? 'You may create nodes and edges without reading the graph.'
          : 'Ask an administrator for the permission read, or for a role.'}
      </EmptyState>
      {dialogs}
    </>
  );
}
