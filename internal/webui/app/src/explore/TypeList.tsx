import { ActionIcon, TextInput, Tooltip } from '@mantine/core';
import { PanelLeftClose, PanelLeftOpen, Plus, Search } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { Link } from 'react-router';
import type { EntityKind, Schema } from '../api/graph';
import { useEditPermissions } from '../changesets/proposal';
import { formatCount, escapeInvisible } from '../values/text';
import { explorePath, type View } from './url';
import { useAppearanceVersion } from './appearance';
import { TypeMark } from './TypeMark';
import { PanelEdge } from './PanelEdge';
import type { PanelLayout } from './usePanels';
import { SearchField } from '../search/SearchField';

interface Props {
  schema: Schema;
  view: View;
  onCreate: (kind: EntityKind) => void;
  layout: PanelLayout;
}

/** All types with their counts. */
export function TypeList({ schema, view, onCreate, layout }: Props) {
  useAppearanceVersion();
  const may = useEditPermissions();
  const [filter, setFilter] = useState('');
  const matchesFilter = (name: string) => name.toLowerCase().includes(filter.trim().toLowerCase());
  // a count is null if the user sees only some of the entities
  const sum = (types: { count: number | null }[]) =>
    types.some((t) => t.count === null) ? undefined : types.reduce((all, t) => all + (t.count ?? 0), 0);
  const nodeTypes = schema.node_types.filter((t) => matchesFilter(t.type));
  const edgeTypes = schema.edge_types.filter((t) => matchesFilter(t.type));
  // The current type, or the first row if it is not shown.
  const shownTypes: (string | null)[] = (view.kind === 'node' ? nodeTypes : may.edge.read ? edgeTypes : []).map((t) => t.type);
  const isStop = (kind: EntityKind, type: string | null) =>
    shownTypes.includes(view.type)
      ? kind === view.kind && type === view.type
      : kind === (may.edge.read ? view.kind : 'node') && type === null;
  const filterable = schema.node_types.length + schema.edge_types.length > 12;

  if (layout.folded) {
    return (
      <nav className="types folded" aria-label="Types">
        <FoldButton label="Show the types" Symbol={PanelLeftOpen} onClick={() => layout.setFolded(false)} />
      </nav>
    );
  }
  return (
    <nav className="types" aria-label="Types">
      <PanelEdge name="types" label="Width of the types" layout={layout} />
      <div className="types-top">
        <SearchField words={view.searchText} />
        <FoldButton label="Hide the types" Symbol={PanelLeftClose} onClick={() => layout.setFolded(true)} />
      </div>
      {filterable && (
        <TextInput
          m="xs"
          mb={0}
          size="xs"
          placeholder="Filter types"
          aria-label="Filter types"
          leftSection={<Search size={14} />}
          value={filter}
          onChange={(e) => setFilter(e.currentTarget.value)}
        />
      )}
      <div className="types-scroll" onKeyDown={moveFocus}>
        <div role="group" aria-labelledby="node-types">
          <Heading id="node-types" text="Nodes" create={may.node.create ? () => onCreate('node') : undefined} createLabel="Create a node" />
          <Row
            kind="node"
            type={null}
            label="All nodes"
            count={schema.node_types.length > 1 ? undefined : sum(schema.node_types)}
            view={view}
            stop={isStop('node', null)}
          />
          {nodeTypes.map((t) => (
            <Row
              key={t.type}
              kind="node"
              type={t.type}
              label={t.type}
              count={t.count ?? undefined}
              view={view}
              stop={isStop('node', t.type)}
            />
          ))}
        </div>
        {(may.edge.read || may.edge.create) && (
          <div role="group" aria-labelledby="edge-types">
            <Heading
              id="edge-types"
              text="Edges"
              create={may.edge.create ? () => onCreate('edge') : undefined}
              createLabel="Create an edge"
            />
            {may.edge.read && (
              <Row kind="edge" type={null} label="All edges" count={sum(schema.edge_types)} view={view} stop={isStop('edge', null)} />
            )}
            {edgeTypes.map((t) => (
              <Row
                key={t.type}
                kind="edge"
                type={t.type}
                label={t.type}
                count={t.count ?? undefined}
                view={view}
                stop={isStop('edge', t.type)}
              />
            ))}
          </div>
        )}
      </div>
    </nav>
  );
}

function FoldButton({ label, Symbol, onClick }: { label: string; Symbol: typeof PanelLeftOpen; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={onClick}>
        <Symbol size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Arrows, Home and End move between the types, which are one stop of the Tab key. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.type-row')];
  const at = rows.indexOf(event.target as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  rows[Math.max(0, Math.min(rows.length - 1, to))]?.focus();
}

/** Not a heading of the page, whose first heading is that of the list. */
function Heading({ id, text, create, createLabel }: { id: string; text: string; create?: () => void; createLabel: string }) {
  return (
    <div className="types-title" style={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between' }}>
      <span id={id}>{text}</span>
      {create && (
        <Tooltip label={createLabel}>
          <ActionIcon size="sm" aria-label={createLabel} onClick={create}>
            <Plus size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
}

interface RowProps {
  kind: EntityKind;
  type: string | null;
  label: string;
  count?: number;
  view: View;
  /** Whether the Tab key stops here. */
  stop: boolean;
}

function Row({ kind, type, label, count: n, view, stop }: RowProps) {
  const current = view.searchText === '' && view.kind === kind && view.type === type;
  return (
    <Link
      className="type-row"
      aria-current={current}
      tabIndex={stop ? 0 : -1}
      to={explorePath({ kind, type, view: view.view })}
      title={label}
    >
      <TypeMark kind={kind} type={type} />
      <span className="type-name">{escapeInvisible(label)}</span>
      {n !== undefined && <span className="type-count">{formatCount(n)}</span>}
    </Link>
  );
}
