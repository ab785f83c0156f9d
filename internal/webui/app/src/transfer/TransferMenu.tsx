import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { ArrowDownUp } from 'lucide-react';
import { Suspense, useState } from 'react';
import { onDemand } from '../api/onDemand';
import { useProposal } from '../changesets/proposal';
import type { Column } from '../explore/columns';
import type { View } from '../explore/url';
import { usePermissions } from '../session/session';
import { escapeInvisible } from '../values/text';

const ImportDialog = onDemand(() => import('./ImportDialog'));
const ExportDialog = onDemand(() => import('./ExportDialog'));
const exporting = () => import('./exporting');

type Job = Parameters<typeof ExportDialog>[0]['run'];

interface Props {
  view: View;
  /** The columns of the table. */
  columns: Column[];
  onImport: () => void;
}

/** The exports of a selection, and the import. */
export function TransferMenu({ view, columns, onImport }: Props) {
  const may = usePermissions();
  const proposing = useProposal().active;
  const mayImport = (may.node.create || may.edge.create) && !proposing; // an import writes at once
  const [job, setJob] = useState<{ subject: string; run: Job } | null>(null);
  const exportRows =
    (format: 'csv' | 'ndjson', beside?: Column[]): Job =>
    async (onProgress, signal) =>
      (await exporting()).exportRows(view, format, onProgress, signal, beside);
  const linked = view.view === 'table' ? columns.filter(({ reading }) => reading) : [];
  const exportWhole =
    (type: string | null): Job =>
    async (onProgress, signal) =>
      (await exporting()).exportGraph(type, onProgress, signal);
  const label = mayImport ? 'Export and import' : 'Export';
  const title = escapeInvisible(view.type ?? `all ${view.kind}s`);
  return (
    <>
      <Menu position="bottom-end">
        <Tooltip label={label}>
          <Menu.Target>
            <ActionIcon size="lg" aria-label={label}>
              <ArrowDownUp size={17} />
            </ActionIcon>
          </Menu.Target>
        </Tooltip>
        <Menu.Dropdown>
          <Menu.Label>Export {view.conditions.length > 0 ? 'filtered list' : title}</Menu.Label>
          <Menu.Item onClick={() => setJob({ subject: title, run: exportRows('csv') })}>Rows (CSV)</Menu.Item>
          {linked.length > 0 && (
            <Menu.Item onClick={() => setJob({ subject: title, run: exportRows('csv', linked) })}>Rows with linked columns (CSV)</Menu.Item>
          )}
          <Menu.Item onClick={() => setJob({ subject: title, run: exportRows('ndjson') })}>Rows (NDJSON)</Menu.Item>
          <Menu.Divider />
          {view.kind === 'node' && view.type !== null && (
            <Menu.Item maw={280} onClick={() => setJob({ subject: title, run: exportWhole(view.type) })}>
              All {title} nodes and the edges between them (NDJSON)
            </Menu.Item>
          )}
          <Menu.Item onClick={() => setJob({ subject: 'the whole graph', run: exportWhole(null) })}>The whole graph (NDJSON)</Menu.Item>
          {mayImport && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={onImport}>Import a file…</Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {job && (
        <Suspense>
          <ExportDialog subject={job.subject} run={job.run} onClose={() => setJob(null)} />
        </Suspense>
      )}
    </>
  );
}

/** The import dialog, loaded on demand. */
export function Import(props: { sample?: boolean; onClose: () => void }) {
  return (
    <Suspense>
      <ImportDialog {...props} />
    </Suspense>
  );
}
