import { Badge, Button, SegmentedControl, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Database, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { onDemand } from '../api/onDemand';
import { getSchema, type EdgeType, type NodeType, type PropertyUse, type Schema } from '../api/graph';
import { newIndexPath, parseNewIndex, type SuggestedIndex } from '../api/timeout';
import { curl } from '../copy/curl';
import { CopyMenu } from '../copy/CopyMenu';
import { explorePath } from '../explore/url';
import { useAppearanceVersion } from '../explore/appearance';
import { TypeMark } from '../explore/TypeMark';
import { usePermissions } from '../session/session';
import { notify } from '../shell/notify';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { kindLabels, type Kind } from '../values/value';
import { formatCount, pluralize, escapeInvisible } from '../values/text';
import { NewIndexDialog } from './NewIndexDialog';

const SchemaGraph = onDemand(() => import('../canvas/SchemaGraph'));

/** The types of the graph, as tables or as a graph. */
export default function SchemaPage() {
  const may = usePermissions();
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.see });
  const [shown, setShown] = useState('tables');
  useAppearanceVersion();
  if (!may.see)
    return <EmptyState title="You may not read the schema">Ask an administrator for the permission read, or for a role.</EmptyState>;
  if (schema.isPending) return <Loading subject="the schema" />;
  if (schema.isLoadingError) return <LoadError error={schema.error} subject="the schema" retry={() => void schema.refetch()} />;
  const { data } = schema;
  if (data.node_types.length === 0)
    return (
      <EmptyState icon={Database} title="The graph is empty">
        Types appear here as soon as there is a node.
      </EmptyState>
    );
  // Who sees a part of a type gets no count of it.
  const counts = data.edge_types.map(({ count }) => count);
  const edges = counts.includes(null)
    ? 'edges in part'
    : pluralize(
        counts.reduce<number>((sum, count) => sum + count!, 0),
        'edge',
      );

  return (
    <div className="selection" style={{ height: '100%' }}>
      <div className="toolbar">
        <h1>Schema</h1>
        <Text size="sm" c="dimmed">
          {pluralize(data.node_types.length, 'node type')}, {pluralize(data.edge_types.length, 'edge type')}, {edges}
        </Text>
        <span className="spacer" />
        <CopyMenu items={[{ label: 'curl', text: () => curl({ path: '/api/schema' }) }]} label="Copy the schema as…" />
        <SegmentedControl
          size="xs"
          aria-label="Show as"
          value={shown}
          onChange={setShown}
          data={[
            { value: 'tables', label: 'Tables' },
            { value: 'graph', label: 'Graph' },
          ]}
        />
      </div>
      {shown === 'graph' ? (
        <Suspense fallback={<Loading subject="the canvas" />}>
          <SchemaGraph schema={data} />
        </Suspense>
      ) : (
        <div className="page" tabIndex={0} role="region" aria-label="Schema tables">
          <div className="page-inner" style={{ display: 'grid', gap: '1.5rem' }}>
            {data.node_types.map((t) => (
              <TypeCard key={`n ${t.type}`} kind="node" of={t} />
            ))}
            {data.edge_types.map((t) => (
              <TypeCard key={`e ${t.type}`} kind="edge" of={t} />
            ))}
            <Indexes schema={data} />
          </div>
        </div>
      )}
      {may.admin && <NewIndexOfUrl />}
    </div>
  );
}

const emptyIndex: SuggestedIndex = { entity: 'node', kind: 'range', type: '', property: '' };

/** The dialog for a new index, if the URL asks for it. */
function NewIndexOfUrl() {
  const queries = useQueryClient();
  const [params, setParams] = useSearchParams();
  const start = parseNewIndex(params);
  if (start === null) return null;
  const close = () => setParams({}, { replace: true });
  function finish(name: string, online: boolean) {
    void queries.invalidateQueries({ queryKey: ['schema'] });
    notify(online ? name : `${name} is being built.`, 'Index created');
    close();
  }
  return <NewIndexDialog key={params.toString()} start={start} onClose={close} onDone={finish} />;
}

function TypeCard({ kind, of: type }: { kind: 'node' | 'edge'; of: NodeType | EdgeType }) {
  return (
    <section className="card" aria-label={type.type}>
      <div className="toolbar" style={{ minHeight: 0 }}>
        <TypeMark kind={kind} type={type.type} />
        <h2 style={{ margin: 0, fontSize: '0.98rem', overflowWrap: 'anywhere' }}>{escapeInvisible(type.type)}</h2>
        <Text size="sm" c="dimmed">
          {type.count === null ? `some ${kind}s` : pluralize(type.count, kind)}
        </Text>
        {!type.managed && (
          <Badge tt="none" variant="light" color="gray" radius="sm" title="Not created by this service: addressed by Neo4j's element IDs">
            element IDs
          </Badge>
        )}
        <span className="spacer" />
        <Link to={explorePath({ kind, type: type.type })} className="linkbutton" style={{ fontSize: 14 }}>
          Explore
        </Link>
      </div>
      {'connections' in type && type.connections.length > 0 && (
        <div
          style={{
            padding: '0.6rem 0.9rem',
            display: 'flex',
            flexWrap: 'wrap',
            gap: '0.4rem 1.25rem',
            fontSize: 13,
            borderBottom: '1px solid var(--line)',
          }}
        >
          {type.connections.map((c) => (
            <span key={`${c.source_type} ${c.target_type}`}>
              {escapeInvisible(c.source_type ?? 'no label')} → {escapeInvisible(c.target_type ?? 'no label')}{' '}
              <span className="type-count">{formatCount(c.count)}</span>
            </span>
          ))}
        </div>
      )}
      {type.properties.length === 0 ? (
        <Text size="sm" c="dimmed" p="sm">
          {type.count === null ? 'The properties of a type that is seen in part are not listed.' : 'No properties.'}
        </Text>
      ) : (
        <div className="scroll-x">
          <table className="plain-table">
            <thead>
              <tr>
                <th>Property</th>
                <th>Types</th>
                <th>Present in</th>
                <th>Index</th>
              </tr>
            </thead>
            <tbody>
              {type.properties.map((p) => (
                <PropertyRow key={p.name} use={p} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {type.properties.length > 0 && type.count !== null && type.sampled < type.count && (
        <Text size="xs" c="dimmed" px="sm" py={6}>
          Properties of a sample of {formatCount(type.sampled)} of {formatCount(type.count)}.
        </Text>
      )}
    </section>
  );
}

function typeName(type: string): string {
  const list = /^List<(.+)>$/.exec(type);
  if (list) return `List of ${typeName(list[1]!)}`;
  return kindLabels[type as Kind] ?? type;
}

function PropertyRow({ use }: { use: PropertyUse }) {
  const percent = Math.round(use.presence * 100);
  return (
    <tr>
      <td style={{ fontWeight: 550 }}>{escapeInvisible(use.name)}</td>
      <td>{use.types.map(typeName).join(', ')}</td>
      <td>
        <span style={{ display: 'inline-flex', alignItems: 'center', gap: 8, whiteSpace: 'nowrap' }}>
          <span className="bar-track" aria-hidden>
            <span className="bar-fill" style={{ width: `${percent}%`, display: 'block' }} />
          </span>
          <span style={{ fontVariantNumeric: 'tabular-nums' }}>{use.presence > 0 && percent === 0 ? '<1' : percent} %</span>
        </span>
      </td>
      <td>{use.unique ? 'unique' : use.indexed ? 'indexed' : <span style={{ color: 'var(--muted)' }}>none</span>}</td>
    </tr>
  );
}

function Indexes({ schema }: { schema: Schema }) {
  const may = usePermissions();
  const rows = [
    ...schema.constraints.map((c) => ({ ...c, description: `${c.kind.toLowerCase()} constraint`, state: '' })),
    ...schema.indexes.map((i) => ({ ...i, description: `${i.kind.toLowerCase()} index`, state: i.state.toLowerCase() })),
  ];
  if (rows.length === 0 && !may.admin) return null;
  return (
    <section className="card" aria-label="Indexes and constraints">
      <div className="toolbar" style={{ minHeight: 0 }}>
        <h2 style={{ margin: 0, fontSize: '0.98rem' }}>Indexes and constraints</h2>
        <span className="spacer" />
        {may.admin && (
          <Button component={Link} to={newIndexPath(emptyIndex)} size="compact-xs" variant="default" leftSection={<Plus size={14} />}>
            New index
          </Button>
        )}
      </div>
      <div className="scroll-x">
        <table className="plain-table">
          <thead>
            <tr>
              <th>Name</th>
              <th>Kind</th>
              <th>Types</th>
              <th>Properties</th>
              <th>State</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((r) => (
              <tr key={`${r.description} ${r.name}`}>
                <td className="mono">{escapeInvisible(r.name)}</td>
                <td>{r.description}</td>
                <td>{r.types.map(escapeInvisible).join(', ') || 'all'}</td>
                <td>{r.properties.map(escapeInvisible).join(', ')}</td>
                <td>{r.state}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
