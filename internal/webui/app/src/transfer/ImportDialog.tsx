import { Alert, Button, FileInput, Group, Modal, Progress, Radio, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { asProblem, type Problem } from '../api/problem';
import { setLastChange } from '../entity/changes';
import { refetchGraph } from '../explore/lists';
import { usePermissions } from '../session/session';
import { formatCount, pluralize, escapeInvisible } from '../values/text';
import { importFile, isAborted, type Counts, type ImportResult, type OnConflict, type Progress as UploadProgress } from './importing';

type State = { at: 'start'; problem?: Problem } | { at: 'running'; progress: UploadProgress } | { at: 'end'; result: ImportResult; progress: UploadProgress };

/** Imports a file of nodes and edges, shows the progress and then the result. */
export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [onConflict, setOnConflict] = useState<OnConflict>('error');
  const [state, setState] = useState<State>({ at: 'start' });
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  async function start() {
    if (!file) return;
    const aborting = new AbortController();
    stop.current = aborting;
    let progress: UploadProgress = { uploaded: 0 };
    setState({ at: 'running', progress });
    const onProgress = (next: UploadProgress) => setState({ at: 'running', progress: (progress = { ...progress, ...next }) });
    try {
      const result = await importFile(file, onConflict, onProgress, aborting.signal);
      setState({ at: 'end', result, progress });
    } catch (error) {
      // Lines written before it stopped are kept, so the known counts are shown.
      if (isAborted(error) || progress.counts) setState({ at: 'end', result: { counts: null, failure: asProblem(error) }, progress });
      else setState({ at: 'start', problem: asProblem(error) });
    }
    setLastChange(null);
    refetchGraph(queries);
  }

  const running = state.at === 'running';
  return (
    <Modal opened onClose={onClose} title="Import" size="lg" closeOnClickOutside={false} closeOnEscape={!running} withCloseButton={!running}>
      {state.at === 'start' && <FileForm file={file} onConflict={onConflict} problem={state.problem} onFile={setFile} onConflictChange={setOnConflict} onStart={() => void start()} onClose={onClose} />}
      {running && <ImportProgress name={file?.name ?? ''} progress={state.progress} onStop={() => stop.current?.abort()} />}
      {state.at === 'end' && <ImportSummary result={state.result} progress={state.progress} onRestart={() => { setFile(null); setState({ at: 'start' }); }} onClose={onClose} />}
    </Modal>
  );
}

interface FileFormProps {
  file: File | null;
  onConflict: OnConflict;
  problem?: Problem;
  onFile: (file: File | null) => void;
  onConflictChange: (onConflict: OnConflict) => void;
  onStart: () => void;
  onClose: () => void;
}

function FileForm({ file, onConflict, problem, onFile, onConflictChange, onStart, onClose }: FileFormProps) {
  const may = usePermissions();
  const mayEdit = may.node.edit || may.edge.edit;
  return (
    <Stack gap="md">
      <FileInput label="File" description="Nodes and edges as NDJSON, such as an export" placeholder="Choose a file" accept=".ndjson,.jsonl,.json,.txt" leftSection={<FileUp size={16} />} value={file} onChange={onFile} clearable />
      <Radio.Group label="Duplicate IDs" value={onConflict} onChange={(next) => onConflictChange(next as OnConflict)}>
        <Stack gap={8} mt={8}>
          <Radio value="error" label="Reject" description="The line fails" />
          <Radio value="skip" label="Skip" description="The line is ignored" />
          <Radio value="merge" label="Merge" disabled={!mayEdit} description={mayEdit ? "The line's properties are set" : 'Needs the right to edit'} />
        </Stack>
      </Radio.Group>
      <Text size="xs" c="dimmed">
        Each line succeeds or fails separately. If the service records changes, the page Changes can undo an import.
      </Text>
      {problem && (
        <Text size="sm" c="red" role="alert">
          {problem.text}
        </Text>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={!file} onClick={onStart}>
          Import
        </Button>
      </Group>
    </Stack>
  );
}

function ImportProgress({ name, progress, onStop }: { name: string; progress: UploadProgress; onStop: () => void }) {
  const percent = Math.floor(progress.uploaded * 100);
  const { counts } = progress;
  return (
    <Stack gap="sm">
      <Text size="sm" truncate>
        {escapeInvisible(name)}
      </Text>
      <Progress value={percent} aria-label="Uploaded part of the file" animated={percent === 100} />
      <Text size="sm" c="dimmed" role="status">
        {percent} % uploaded{counts ? `; ${pluralize(counts.lines, 'line')}: ${formatCount(counts.created)} created, ${formatCount(counts.updated)} updated, ${formatCount(counts.skipped)} skipped, ${formatCount(counts.failed)} failed` : ''}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onStop}>
          Stop
        </Button>
      </Group>
    </Stack>
  );
}

function ImportSummary({ result: { counts, failure }, progress, onRestart, onClose }: { result: ImportResult; progress: UploadProgress; onRestart: () => void; onClose: () => void }) {
  const known = counts ?? progress.counts;
  return (
    <Stack gap="md">
      {failure && (
        <Alert color="red" variant="light" role="alert" title={failure.code === 'ABORTED' ? 'Stopped' : 'The import failed'}>
          {failure.code === 'ABORTED' ? '' : `${failure.text} `}Lines already written are kept{known ? `; at least ${pluralize(known.lines, 'line')} were processed` : ''}. You can import the same file again and skip duplicate IDs.
        </Alert>
      )}
      {known && <CountsTable counts={known} />}
      {counts && counts.errors.length > 0 && <FailedLines counts={counts} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onRestart}>
          Import another file
        </Button>
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

const outcomes = ['created', 'updated', 'skipped', 'failed'] as const;

function CountsTable({ counts }: { counts: Omit<Counts, 'errors'> }) {
  return (
    <div className="card">
      <table className="plain-table" aria-label="Import result">
        <thead>
          <tr>
            <th>{pluralize(counts.lines, 'line')}</th>
            {outcomes.map((outcome) => (
              <th key={outcome} className="right">
                {outcome}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {([['Nodes', counts.nodes], ['Edges', counts.edges], ['Total', counts]] as const).map(([title, of]) => (
            <tr key={title}>
              <td>{title}</td>
              {outcomes.map((outcome) => (
                <td key={outcome} className="right" style={{ color: outcome === 'failed' && of.failed > 0 ? 'var(--mantine-color-error)' : undefined }}>
                  {formatCount(of[outcome])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FailedLines({ counts }: { counts: Counts }) {
  const what = (e: Counts['errors'][number]) => [e.message, ...e.details.map((d) => (d.field ? `${d.field}: ${d.message}` : d.message))].join('; ');
  return (
    <section aria-label="Failed lines">
      <Text size="sm" fw={600} mb={6}>
        {counts.failed > counts.errors.length ? `The first ${counts.errors.length} failed lines` : 'Failed lines'}
      </Text>
      <div className="card" style={{ maxHeight: 220, overflow: 'auto' }} tabIndex={0} role="region" aria-label="Errors">
        <table className="plain-table">
          <tbody>
            {counts.errors.map((e, index) => (
              <tr key={index}>
                <td className="right" style={{ whiteSpace: 'nowrap', width: 1 }}>
                  {formatCount(e.line)}
                </td>
                <td>{escapeInvisible(what(e))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
