// The loaded rows of a list on a map, by a property that is a point on the earth.
import { Button, NativeSelect, Switch } from '@mantine/core';
import { Suspense, useMemo, useState, type ReactNode } from 'react';
import { onDemand } from '../api/onDemand';
import type { Schema } from '../api/graph';
import { useEditPermissions } from '../changesets/proposal';
import { type Row, type useList } from '../explore/lists';
import { currentRows, emptySelection, maySelectRows, selectAll, toggleRow } from '../explore/selection';
import type { ChangeView, View } from '../explore/url';
import type { Selected } from '../explore/useRowSelection';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { escapeInvisible, formatCount, pluralize } from '../values/text';
import { EarthMap } from './EarthMap';
import './map.css';
import { boxAround, earth, isInside, placesOf, pointProperties, zoomed, type Box } from './points';

const SelectionBar = onDemand(() => import('../explore/SelectionBar'));

interface Props {
  list: ReturnType<typeof useList>;
  view: View;
  schema: Schema;
  subject: string;
  change: ChangeView;
  selected: Selected;
}

export default function MapView(props: Props) {
  const { list, subject } = props;
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data]);
  const properties = useMemo(() => pointProperties(rows), [rows]);
  const [chosen, setChosen] = useState('');
  const property = properties.includes(chosen) ? chosen : properties[0];
  if (list.isPending) return <Loading subject={subject} />;
  if (list.isError && rows.length === 0) return <LoadError error={list.error} subject={subject} retry={() => void list.refetch()} />;
  if (property === undefined)
    return (
      <EmptyState title="No points">
        None of the {pluralize(rows.length, 'loaded row')} has a point on the earth (WGS 84).
        <LoadMore list={list} />
      </EmptyState>
    );
  return (
    <PlacedRows key={property} {...props} rows={rows} property={property}>
      {properties.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label="Points of"
          value={property}
          data={properties.map((name) => ({ value: name, label: escapeInvisible(name) }))}
          onChange={(e) => setChosen(e.currentTarget.value)}
        />
      )}
    </PlacedRows>
  );
}

interface PlacedProps extends Props {
  rows: Row[];
  property: string;
  children: ReactNode;
}

function PlacedRows({ list, view, schema, change, selected: [selection, setSelection], rows, property, children }: PlacedProps) {
  const places = useMemo(() => placesOf(rows, property), [rows, property]);
  const [box, setBox] = useState<Box>(() => boxAround(places));
  const [selecting, setSelecting] = useState(false);
  const { shown, others } = currentRows(selection, rows);
  const may = useEditPermissions()[view.kind];
  const maySelect = maySelectRows(view.kind, may);
  return (
    <>
      <div className="map-tools">
        {children}
        <Button size="compact-sm" variant="default" onClick={() => setBox(zoomed(box, 0.5))}>
          Zoom in
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setBox(zoomed(box, 2))}>
          Zoom out
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setBox(boxAround(places))}>
          All points
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setBox(earth)}>
          The earth
        </Button>
        {maySelect && (
          <Switch size="xs" label="Select by dragging" checked={selecting} onChange={(e) => setSelecting(e.currentTarget.checked)} />
        )}
      </div>
      <EarthMap
        label={`Map of ${escapeInvisible(property)}`}
        places={places}
        box={box}
        onBox={setBox}
        open={view.open?.id ?? ''}
        isSelected={(row) => selection.rows.has(row.id)}
        selecting={selecting}
        onSelectBox={(area) =>
          setSelection(
            selectAll(
              selection,
              places.filter((place) => isInside(area, place)).map(({ row }) => row),
            ),
          )
        }
        onToggle={(row) => maySelect && setSelection(toggleRow(selection, rows.indexOf(row), row))}
        onOpen={(row) => change({ open: { kind: view.kind, id: row.id } })}
      />
      {shown.length + others.length > 0 && (
        <Suspense>
          <SelectionBar
            selected={[...shown, ...others]}
            shown={shown.length}
            loaded={rows.length}
            view={view}
            schema={schema}
            onSelectAll={() => setSelection(selectAll(selection, rows))}
            onClear={() => setSelection(emptySelection)}
          />
        </Suspense>
      )}
      <div className="grid-foot">
        <span role="status">
          {formatCount(places.length)} of {pluralize(rows.length, 'loaded row')} on the map
        </span>
        <LoadMore list={list} />
      </div>
    </>
  );
}

function LoadMore({ list }: Pick<Props, 'list'>) {
  if (!list.hasNextPage) return null;
  return (
    <Button size="compact-xs" variant="subtle" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      Load more
    </Button>
  );
}
