import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { UndoDialog } from '../history/UndoDialog';
import { usePermissions } from '../session/session';
import { notifyProblem } from '../shell/notify';
import { escapeInvisible, formatCount, pluralize } from '../values/text';
import type { RowError } from './mapping';
import { failedLines, type Counts, type ImportResult, type LineError, type Progress as UploadProgress } from './importing';
import { lineErrorsCsv, lineErrorText, notImportedCsv, onlyRowsWithErrors, outcomeText, rowErrors, type TableRows } from './outcome';
import { RowErrors } from './RowErrors';
import { save } from './save';
import type { Unfinished } from './TableImport';

interface SummaryProps {
  result: ImportResult;
  progress: UploadProgress;
  file: File | null;
  /** The rows of the file, if it is a table. */
  rows: TableRows | null;
  onMend: (unfinished: Unfinished) => void;
  onRestart: () => void;
  onClose: () => void;
}

/** The result of an import, with its undo. */
export function ImportSummary({ result: { counts, requestId, failure }, progress, file, rows, onMend, onRestart, onClose }: SummaryProps) {
  const may = usePermissions();
  const [undoing, setUndoing] = useState(false);
  const name = file?.name ?? '';
  const known = counts ?? progress.counts;
  const mayUndo =
    known &&
    requestId !== '' &&
    known.created + known.updated > 0 &&
    (known.nodes.created === 0 || may.node.delete) &&
    (known.edges.created === 0 || may.edge.delete) &&
    (known.updated === 0 || may.node.edit || may.edge.edit);
  return (
    <Stack gap="md">
      {failure && (
        <Alert color="red" variant="light" role="alert" title={failure.code === 'ABORTED' ? 'Stopped' : 'The import failed'}>
          {failure.code === 'ABORTED' ? '' : `${failure.text} `}Lines already written are kept
          {known ? `; at least ${pluralize(known.lines, 'line')} were processed` : ''}.{' '}
          {rows === null
            ? 'To import the same file again, skip duplicate IDs; lines without an ID are created again.'
            : rows.mapping.existing === undefined
              ? 'The same file would create its rows again: undo this import on the page Changes first.'
              : 'The same file can be imported again: it changes what it has created.'}
        </Alert>
      )}
      {known && <CountsTable counts={known} />}
      {rows && (
        <Text size="sm" role="note">
          {outcomeText(rows, known)}
        </Text>
      )}
      {rows && <NotImported name={name} rows={rows} failed={rowErrors(rows, progress.errors ?? [])} onMend={onMend} />}
      {!rows && file && known && known.failed > 0 && (
        <FailedLines file={file} failed={known.failed} errors={progress.errors ?? counts?.errors ?? []} />
      )}
      {undoing && (
        <UndoDialog target={{ import: requestId }} title="Undo the import" onClose={() => setUndoing(false)} onUndone={onClose} />
      )}
      <Group justify="flex-end" className="form-footer">
        {mayUndo && (
          <Button variant="default" mr="auto" onClick={() => setUndoing(true)}>
            Undo the import
          </Button>
        )}
        <Button variant="default" onClick={onRestart}>
          Import another file
        </Button>
        <Button onClick={onClose} autoFocus>
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
          {(
            [
              ['Nodes', counts.nodes],
              ['Edges', counts.edges],
              ['Total', counts],
            ] as const
          ).map(([title, of]) => (
            <tr key={title}>
              <td>{title}</td>
              {outcomes.map((outcome) => (
                <td
                  key={outcome}
                  className="right"
                  style={{ color: outcome === 'failed' && of.failed > 0 ? 'var(--mantine-color-error)' : undefined }}
                >
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

interface NotImportedProps {
  name: string;
  rows: TableRows;
  failed: RowError[];
  onMend: (unfinished: Unfinished) => void;
}

/** The rows that were left out or failed: why, as a file, and to be mended. */
function NotImported({ name, rows: { table, mapping, leftOut }, failed, onMend }: NotImportedProps) {
  const errors = [...leftOut, ...failed].sort((a, b) => a.row - b.row);
  if (errors.length === 0) return null;
  const wrong = errors.filter((e) => !e.byChoice);
  const saveThem = () => save(`${name.replace(/\.\w+$/, '')}-not-imported.csv`, 'text/csv;charset=utf-8', notImportedCsv(table, errors));
  return (
    <section aria-label="Rows that were not imported">
      <RowErrors errors={errors} table={table} />
      <Group gap="xs" mt="xs">
        {wrong.length > 0 && (
          <Button size="xs" variant="default" onClick={() => onMend({ table: onlyRowsWithErrors(table, wrong), mapping, errors: wrong })}>
            Mend them here
          </Button>
        )}
        <Button size="xs" variant="default" onClick={saveThem}>
          Save them with their reasons (CSV)
        </Button>
      </Group>
    </section>
  );
}

const shownErrors = 100;

/** The lines that failed: why, and as a file to be mended. errors are those that the service has named. */
function FailedLines({ file, failed, errors: given }: { file: File; failed: number; errors: LineError[] }) {
  const errors = [...given].sort((a, b) => a.line - b.line);
  const named = (what: string) => file.name.replace(/\.\w+$/, '') + what;
  const saveLines = async () => {
    try {
      save(named('-failed.ndjson'), 'application/x-ndjson', await failedLines(file, errors));
    } catch (error) {
      notifyProblem(error, 'Not saved');
    }
  };
  return (
    <section aria-label="Failed lines">
      <Text size="sm" fw={600} mb={6}>
        {failed > shownErrors ? `The first ${Math.min(shownErrors, errors.length)} failed lines` : 'Failed lines'}
      </Text>
      <div className="card" style={{ maxHeight: 220, overflow: 'auto' }} tabIndex={0} role="region" aria-label="Errors">
        <table className="plain-table">
          <tbody>
            {errors.slice(0, shownErrors).map((e, index) => (
              <tr key={index}>
                <td className="right" style={{ whiteSpace: 'nowrap', width: 1 }}>
                  {formatCount(e.line)}
                </td>
                <td>{escapeInvisible(lineErrorText(e))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {failed > errors.length && (
        <Text size="sm" c="dimmed" mt={4}>
          Of a file of this size the service names the first {formatCount(errors.length)} of {formatCount(failed)} failed lines; graphrest
          import names all.
        </Text>
      )}
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={() => void saveLines()}>
          Save these lines (NDJSON)
        </Button>
        <Button size="xs" variant="default" onClick={() => save(named('-failed.csv'), 'text/csv;charset=utf-8', lineErrorsCsv(errors))}>
          Save the reasons (CSV)
        </Button>
      </Group>
    </section>
  );
}
