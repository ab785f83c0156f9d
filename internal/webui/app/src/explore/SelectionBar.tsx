import { Button } from '@mantine/core';
import { Pencil, Trash2 } from 'lucide-react';
import { Suspense, useState } from 'react';
import { onDemand } from '../api/onDemand';
import type { Schema } from '../api/graph';
import { AddToCanvas } from '../canvas/AddToCanvas';
import { maxSingleNodes } from '../canvas/steps';
import { useEditPermissions } from '../changesets/proposal';
import { CompareButton } from '../compare/CompareButton';
import { formatCount, pluralize } from '../values/text';
import type { Row } from './lists';
import type { View } from './url';

const BulkDialog = onDemand(() => import('./BulkDialog'));

interface Props {
  selected: Row[];
  /** How many of them are loaded in the present order and filter. */
  shown: number;
  /** How many rows are loaded. */
  loaded: number;
  view: View;
  schema: Schema;
  onSelectAll: () => void;
  onClear: () => void;
}

/** What can be done with the selected rows. */
export default function SelectionBar({ selected, shown, loaded, view, schema, onSelectAll, onClear }: Props) {
  const may = useEditPermissions();
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const verb = may.proposing ? 'Propose to ' : '';
  const label = (action: string) => (verb ? verb + action : action.charAt(0).toUpperCase() + action.slice(1));
  return (
    <div className="selection-bar" role="region" aria-label="Selection">
      <span role="status">
        {formatCount(selected.length)} selected
        {shown < selected.length && `, ${formatCount(selected.length - shown)} of them not among the loaded rows`}
      </span>
      {may[view.kind].edit && (
        <Button size="compact-xs" variant="default" leftSection={<Pencil size={13} />} onClick={() => setDialog('edit')}>
          {label('edit')}…
        </Button>
      )}
      {may[view.kind].delete && (
        <Button size="compact-xs" variant="default" leftSection={<Trash2 size={13} />} onClick={() => setDialog('delete')}>
          {label('delete')}…
        </Button>
      )}
      {view.kind === 'node' && selected.length <= maxSingleNodes && (
        <AddToCanvas addition={() => ({ ids: selected.map((row) => row.id) })} size="compact-xs" />
      )}
      {selected.length === 2 && (
        <CompareButton kind={view.kind} ids={[selected[0]!.id, selected[1]!.id]} size="compact-xs" onMerged={onClear} />
      )}
      <span className="spacer" />
      {shown < loaded && (
        <button type="button" className="linkbutton" onClick={onSelectAll}>
          Select all {pluralize(loaded, 'loaded row')}
        </button>
      )}
      <button type="button" className="linkbutton" onClick={onClear}>
        Clear selection
      </button>
      {dialog && (
        <Suspense>
          <BulkDialog action={dialog} rows={selected} view={view} schema={schema} onDeleted={onClear} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </div>
  );
}
