import { Alert, Button, FileInput, Group, Modal, Progress, Radio, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { FileUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { asProblem, type Problem } from '../api/problem';
import { remember } from '../entity/changes';
import { readListsAgain } from '../explore/lists';
import { useMay } from '../session/session';
import { count, plural, visible } from '../values/text';
import { importFile, stopped, type Counts, type Imported, type OnConflict, type Progress as HowFar } from './importing';

type State = { at: 'start'; problem?: Problem } | { at: 'running'; far: HowFar } | { at: 'end'; result: Imported; far: HowFar };

/** Takes a file of nodes and edges, says how far it is, and what became of every line. */
export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [on, setOn] = useState<OnConflict>('error');
  const [state, setState] = useState<State>({ at: 'start' });
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  async function start() {
    if (!file) return;
    const aborting = new AbortController();
    stop.current = aborting;
    let far: HowFar = { taken: 0 };
    setState({ at: 'running', far });
    const tell = (next: HowFar) => setState({ at: 'running', far: (far = { ...far, ...next }) });
    try {
      const result = await importFile(file, on, tell, aborting.signal);
      setState({ at: 'end', result, far });
    } catch (error) {
      // What was written before it was stopped stays, so the end is shown as it is known.
      if (stopped(error) || far.counts) setState({ at: 'end', result: { counts: null, broken: asProblem(error) }, far });
      else setState({ at: 'start', problem: asProblem(error) });
    }
    remember(null);
    readListsAgain(queries);
    for (const key of ['node-edges', 'schema', 'entity', 'pick']) void queries.invalidateQueries({ queryKey: [key] });
  }

  const running = state.at === 'running';
  return (
    <Modal opened onClose={onClose} title="Import" size="lg" closeOnClickOutside={false} closeOnEscape={!running} withCloseButton={!running}>
      {state.at === 'start' && <Choice file={file} on={on} problem={state.problem} onFile={setFile} onOn={setOn} onStart={() => void start()} onClose={onClose} />}
      {running && <Running name={file?.name ?? ''} far={state.far} onStop={() => stop.current?.abort()} />}
      {state.at === 'end' && <Ended result={state.result} far={state.far} onAgain={() => { setFile(null); setState({ at: 'start' }); }} onClose={onClose} />}
    </Modal>
  );
}

interface ChoiceProps {
  file: File | null;
  on: OnConflict;
  problem?: Problem;
  onFile: (file: File | null) => void;
  onOn: (on: OnConflict) => void;
  onStart: () => void;
  onClose: () => void;
}

function Choice({ file, on, problem, onFile, onOn, onStart, onClose }: ChoiceProps) {
  const may = useMay();
  return (
    <Stack gap="md">
      <FileInput label="File" description="Nodes and edges as lines of JSON (NDJSON), such as an export" placeholder="Choose a file" accept=".ndjson,.jsonl,.json,.txt" leftSection={<FileUp size={16} />} value={file} onChange={onFile} clearable />
      <Radio.Group label="A line whose id is there already" value={on} onChange={(next) => onOn(next as OnConflict)}>
        <Stack gap={8} mt={8}>
          <Radio value="error" label="fails" />
          <Radio value="skip" label="is skipped" />
          <Radio value="merge" label="sets the properties it has" disabled={!may.edit} description={may.edit ? undefined : 'You may not edit'} />
        </Stack>
      </Radio.Group>
      <Text size="xs" c="dimmed">
        Lines succeed or fail apart, and an import cannot be undone here.
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

function Running({ name, far, onStop }: { name: string; far: HowFar; onStop: () => void }) {
  const percent = Math.floor(far.taken * 100);
  const { counts } = far;
  return (
    <Stack gap="sm">
      <Text size="sm" truncate>
        {visible(name)}
      </Text>
      <Progress value={percent} aria-label="How much of the file has been taken" animated={percent === 100} />
      <Text size="sm" c="dimmed" role="status">
        {percent} % taken{counts ? `; ${plural(counts.lines, 'line')}: ${count(counts.created)} created, ${count(counts.updated)} updated, ${count(counts.skipped)} skipped, ${count(counts.failed)} failed` : ''}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onStop}>
          Stop
        </Button>
      </Group>
    </Stack>
  );
}

function Ended({ result: { counts, broken }, far, onAgain, onClose }: { result: Imported; far: HowFar; onAgain: () => void; onClose: () => void }) {
  const known = counts ?? far.counts;
  return (
    <Stack gap="md">
      {broken && (
        <Alert color="red" variant="light" role="alert" title={broken.code === 'ABORTED' ? 'Stopped' : 'The import broke off'}>
          {broken.code === 'ABORTED' ? '' : `${broken.text} `}What was written stays{known ? `; at least ${plural(known.lines, 'line')} were handled` : ''}. The same file can be imported again, with the lines whose ids are there skipped.
        </Alert>
      )}
      {known && <CountsTable counts={known} />}
      {counts && counts.errors.length > 0 && <Mistakes counts={counts} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onAgain}>
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
      <table className="plain-table" aria-label="What became of the lines">
        <thead>
          <tr>
            <th>{plural(counts.lines, 'line')}</th>
            {outcomes.map((outcome) => (
              <th key={outcome} className="right">
                {outcome}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {([['Nodes', counts.nodes], ['Edges', counts.edges], ['In all', counts]] as const).map(([title, of]) => (
            <tr key={title}>
              <td>{title}</td>
              {outcomes.map((outcome) => (
                <td key={outcome} className="right" style={{ color: outcome === 'failed' && of.failed > 0 ? 'var(--mantine-color-error)' : undefined }}>
                  {count(of[outcome])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Mistakes({ counts }: { counts: Counts }) {
  const what = (e: Counts['errors'][number]) => [e.message, ...e.details.map((d) => (d.field ? `${d.field}: ${d.message}` : d.message))].join('; ');
  return (
    <section aria-label="Lines that failed">
      <Text size="sm" fw={600} mb={6}>
        {counts.failed > counts.errors.length ? `The first ${counts.errors.length} lines that failed` : 'Lines that failed'}
      </Text>
      <div className="card" style={{ maxHeight: 220, overflow: 'auto' }} tabIndex={0} role="region" aria-label="Mistakes">
        <table className="plain-table">
          <tbody>
            {counts.errors.map((e, index) => (
              <tr key={index}>
                <td className="right" style={{ whiteSpace: 'nowrap', width: 1 }}>
                  {count(e.line)}
                </td>
                <td>{visible(what(e))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
