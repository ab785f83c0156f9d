import { Button, FileInput, Group, Modal, Progress, Radio, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { onDemand } from '../api/onDemand';
import { asProblem, type Problem } from '../api/problem';
import { forgetChanges } from '../entity/changes';
import { refetchGraph } from '../explore/lists';
import { usePermissions } from '../session/session';
import { formatCount, pluralize, escapeInvisible } from '../values/text';
import { ImportSummary } from './ImportSummary';
import type { TableRows } from './outcome';
import { TableImport, type Unfinished } from './TableImport';
import { isTable } from './tables';
import {
  hasFewLines,
  importFile,
  isAborted,
  type ImportOptions,
  type ImportResult,
  type OnConflict,
  type Progress as UploadProgress,
} from './importing';

const SampleForm = onDemand(() => import('./SampleForm'));

type State =
  | { at: 'start'; problem?: Problem }
  | { at: 'mapping'; file: File; unfinished?: Unfinished }
  | { at: 'running'; progress: UploadProgress }
  | { at: 'end'; result: ImportResult; progress: UploadProgress };

/** How lines are imported; those of a table as its mapping says. */
const optionsOf = async (lines: Blob, rows: TableRows | null, onConflict: OnConflict): Promise<ImportOptions> => ({
  onConflict: rows === null ? onConflict : rows.mapping.existing === undefined ? 'error' : 'merge',
  allErrors: rows !== null || (await hasFewLines(lines)),
});

/** Imports a file of nodes and edges, or the sample graph, shows the progress and then the result. */
export default function ImportDialog({ sample = false, onClose }: { sample?: boolean; onClose: () => void }) {
  const queries = useQueryClient();
  const [ofSample, setOfSample] = useState(sample);
  const [file, setFile] = useState<File | null>(null);
  const [onConflict, setOnConflict] = useState<OnConflict>('error');
  const [state, setState] = useState<State>({ at: 'start' });
  const stop = useRef<AbortController | null>(null);
  const rowsOfLines = useRef<TableRows | null>(null);
  const next = () => file && (isTable(file.name) ? setState({ at: 'mapping', file }) : void start(file, null));
  useEffect(() => () => stop.current?.abort(), []);

  /** Imports lines, with the rows of the file if it is a table. */
  async function start(lines: Blob, rows: TableRows | null) {
    rowsOfLines.current = rows;
    const aborting = new AbortController();
    stop.current = aborting;
    let progress: UploadProgress = { uploaded: 0 };
    setState({ at: 'running', progress });
    const onProgress = (next: UploadProgress) => setState({ at: 'running', progress: (progress = { ...progress, ...next }) });
    try {
      const options = await optionsOf(lines, rows, onConflict);
      const result = await importFile(lines, options, onProgress, aborting.signal);
      setState({ at: 'end', result, progress });
    } catch (error) {
      // Lines written before it stopped are kept, so the known counts are shown.
      if (isAborted(error) || progress.counts)
        setState({ at: 'end', result: { counts: null, requestId: '', failure: asProblem(error) }, progress });
      else setState({ at: 'start', problem: asProblem(error) });
    }
    forgetChanges();
    refetchGraph(queries);
  }

  const running = state.at === 'running';
  return (
    <Modal
      opened
      onClose={onClose}
      title={ofSample ? 'Load the sample graph' : 'Import'}
      size={state.at === 'mapping' ? '60rem' : 'lg'}
      closeOnClickOutside={false}
      closeOnEscape={!running && state.at !== 'mapping'}
      withCloseButton={!running}
    >
      {state.at === 'start' && ofSample && (
        <Suspense>
          <SampleForm
            problem={state.problem}
            onStart={(lines) => {
              setFile(lines);
              void start(lines, null);
            }}
            onClose={onClose}
          />
        </Suspense>
      )}
      {state.at === 'start' && !ofSample && (
        <FileForm
          file={file}
          onConflict={onConflict}
          problem={state.problem}
          onFile={setFile}
          onConflictChange={setOnConflict}
          onStart={next}
          onClose={onClose}
        />
      )}
      {state.at === 'mapping' && (
        <TableImport
          file={state.file}
          unfinished={state.unfinished}
          onCancel={() => setState({ at: 'start' })}
          onImport={(lines, rows) => void start(lines, rows)}
        />
      )}
      {running && <ImportProgress name={file?.name ?? ''} progress={state.progress} onStop={() => stop.current?.abort()} />}
      {state.at === 'end' && (
        <ImportSummary
          result={state.result}
          progress={state.progress}
          file={file}
          rows={rowsOfLines.current}
          onMend={(unfinished) => file && setState({ at: 'mapping', file, unfinished })}
          onRestart={() => {
            setFile(null);
            setOfSample(false);
            setState({ at: 'start' });
          }}
          onClose={onClose}
        />
      )}
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
  const table = file !== null && isTable(file.name);
  return (
    <Stack gap="md">
      <FileInput
        label="File"
        description="Nodes and edges as NDJSON, such as an export, or a table as CSV or Excel"
        placeholder="Choose a file"
        accept=".ndjson,.jsonl,.json,.txt,.csv,.tsv,.xlsx"
        leftSection={<FileUp size={16} />}
        value={file}
        onChange={onFile}
        clearable
        autoFocus
        data-autofocus
      />
      {!table && (
        <Radio.Group label="Duplicate IDs" value={onConflict} onChange={(next) => onConflictChange(next as OnConflict)}>
          <Stack gap={8} mt={8}>
            <Radio value="error" label="Reject" description="The line fails" />
            <Radio value="skip" label="Skip" description="The line is ignored" />
            <Radio
              value="merge"
              label="Merge"
              disabled={!mayEdit}
              description={mayEdit ? "The line's properties are set" : 'Needs the right to edit'}
            />
          </Stack>
        </Radio.Group>
      )}
      <Text size="xs" c="dimmed">
        Each line succeeds or fails separately. If the service records changes, the page Changes can undo an import.
      </Text>
      {problem && (
        <Text size="sm" c="red" role="alert">
          {problem.text}
        </Text>
      )}
      <Group justify="flex-end" className="form-footer">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={!file} onClick={onStart}>
          {table ? 'Next' : 'Import'}
        </Button>
      </Group>
    </Stack>
  );
}

const outcomes = ['created', 'updated', 'skipped', 'failed'] as const;

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
        {percent} % uploaded
        {counts ? `; ${pluralize(counts.lines, 'line')}: ${outcomes.map((name) => `${formatCount(counts[name])} ${name}`).join(', ')}` : ''}
      </Text>
      <Group justify="flex-end" className="form-footer">
        <Button variant="default" onClick={onStop}>
          Stop
        </Button>
      </Group>
    </Stack>
  );
}
