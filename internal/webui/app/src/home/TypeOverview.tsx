import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core';
import { Search, Star } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { EntityKind, Schema } from '../api/graph';
import { typeColour, TypeMark } from '../explore/TypeMark';
import { explorePath } from '../explore/url';
import { escapeInvisible, formatCount, pluralize } from '../values/text';
import type { Favourite } from './stored';

interface Props {
  schema: Schema;
  kinds: EntityKind[];
  favourites: Favourite[];
  onToggle: (favourite: Favourite) => void;
}

interface TypeEntry {
  kind: EntityKind;
  type: string;
  /** null if the user sees only some of the entities. */
  count: number | null;
}

const shownTypes = 18;

/** The types of each kind with their counts, favourites first, then the largest. */
export function TypeOverview({ schema, kinds, favourites, onToggle }: Props) {
  const [filter, setFilter] = useState('');
  const isFavourite = ({ kind, type }: TypeEntry) => favourites.some((f) => f.kind === kind && f.type === type);
  const total = schema.node_types.length + schema.edge_types.length;
  const entriesOf = (kind: EntityKind): TypeEntry[] =>
    (kind === 'node' ? schema.node_types : schema.edge_types)
      .filter((t) => t.type.toLowerCase().includes(filter.trim().toLowerCase()))
      .map(({ type, count }) => ({ kind, type, count }))
      .sort((a, b) => Number(isFavourite(b)) - Number(isFavourite(a)) || (b.count ?? -1) - (a.count ?? -1) || a.type.localeCompare(b.type));
  return (
    <>
      {total > 12 && (
        <TextInput
          size="xs"
          mb="xs"
          placeholder="Filter types"
          aria-label="Filter types"
          leftSection={<Search size={14} />}
          value={filter}
          style={{ maxWidth: '20rem' }}
          onChange={(e) => setFilter(e.currentTarget.value)}
        />
      )}
      {kinds.map((kind) => (
        <Types
          key={kind}
          kind={kind}
          entries={entriesOf(kind)}
          filtered={filter.trim() !== ''}
          isFavourite={isFavourite}
          onToggle={onToggle}
        />
      ))}
    </>
  );
}

interface TypesProps {
  kind: EntityKind;
  entries: TypeEntry[];
  filtered: boolean;
  isFavourite: (entry: TypeEntry) => boolean;
  onToggle: (favourite: Favourite) => void;
}

function Types({ kind, entries, filtered, isFavourite, onToggle }: TypesProps) {
  const [all, setAll] = useState(false);
  const label = kind === 'node' ? 'Nodes' : 'Edges';
  const known = entries.every((e) => e.count !== null);
  const sum = entries.reduce((total, e) => total + (e.count ?? 0), 0);
  const largest = Math.max(1, ...entries.map((e) => e.count ?? 0));
  const shown = all ? entries : entries.slice(0, shownTypes);
  // A node may have several types, so their counts do not add up.
  const summary = `${pluralize(entries.length, 'type')}${kind === 'edge' && known && !filtered ? `, ${pluralize(sum, 'edge')}` : ''}`;
  return (
    <section aria-label={`Types of ${label.toLowerCase()}`} className="home-types">
      <h2 className="home-title">
        {label} <span className="home-note">{summary}</span>
        <Link className="linkbutton" to={explorePath({ kind })}>
          All {label.toLowerCase()}
        </Link>
      </h2>
      {entries.length === 0 && (
        <p className="home-note">{filtered ? 'No type has this name.' : `There are no ${label.toLowerCase()} yet.`}</p>
      )}
      <ul className="home-grid">
        {shown.map((entry) => (
          <li key={entry.type} className="home-type">
            <Link to={explorePath({ kind, type: entry.type })} title={entry.type}>
              <TypeMark kind={kind} type={entry.type} />
              <span className="type-name">{escapeInvisible(entry.type)}</span>
              <span className="type-count">{entry.count === null ? 'in part' : formatCount(entry.count)}</span>
              <span className="home-share" aria-hidden>
                <span
                  style={{
                    width: `${Math.max(1, (100 * (entry.count ?? 0)) / largest)}%`,
                    background: typeColour(kind, entry.type),
                  }}
                />
              </span>
            </Link>
            <FavouriteButton entry={entry} on={isFavourite(entry)} onToggle={onToggle} />
          </li>
        ))}
      </ul>
      {entries.length > shown.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => setAll(true)}>
          Show all {formatCount(entries.length)}
        </Button>
      )}
    </section>
  );
}

function FavouriteButton({
  entry: { kind, type },
  on,
  onToggle,
}: {
  entry: TypeEntry;
  on: boolean;
  onToggle: (favourite: Favourite) => void;
}) {
  const label = on ? `Remove ${type} from the favorites` : `Add ${type} to the favorites`;
  return (
    <Tooltip label={on ? 'Remove from the favorites' : 'Add to the favorites'}>
      <ActionIcon
        size="sm"
        variant="subtle"
        color={on ? 'yellow.7' : 'gray'}
        aria-label={label}
        aria-pressed={on}
        onClick={() => onToggle({ kind, type })}
      >
        <Star size={15} fill={on ? 'currentColor' : 'none'} />
      </ActionIcon>
    </Tooltip>
  );
}
