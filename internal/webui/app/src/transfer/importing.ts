// Imports an NDJSON file. The file is streamed from disk; the service reports progress.
import { addressOf } from '../api/address';
import { waitForLogin } from '../api/client';
import type { components } from '../api/openapi';
import { asProblem, Problem, problemFromResponse } from '../api/problem';
import { recordRateLimit } from '../api/rate';
import { session } from '../session/session';

export type Counts = components['schemas']['ImportCounts'];
export type LineError = components['schemas']['LineError'];
export type OnConflict = 'error' | 'skip' | 'merge';

export interface Progress {
  /** How much of the file has been uploaded, from 0 to 1. The service reads only as fast as it writes. */
  uploaded: number;
  counts?: Omit<Counts, 'errors'>;
  /** The lines that failed so far, if all are asked for. */
  errors?: LineError[];
}

export interface ImportOptions {
  onConflict: OnConflict;
  /** Whether the service names all lines that fail instead of the first 100. */
  allErrors: boolean;
}

export interface ImportResult {
  counts: Counts | null;
  /** The id by which the import can be undone; empty if it is not known. */
  requestId: string;
  /** Why the import ended early; lines written before it are kept. */
  failure?: Problem;
}

interface Line {
  progress?: Omit<Counts, 'errors'>;
  data?: Counts;
  errors?: LineError[];
  error?: unknown;
}

// An answer with the errors of more lines could exceed what the service keeps until a browser has sent the file.
const maxAccountedLines = 100_000;
const maxCountedBytes = 256 << 20;

/** Calls a function with each line of a file, numbered from 1, until it returns false. */
async function eachLine(file: Blob, call: (line: string, number: number) => boolean) {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let number = 0;
  for (;;) {
    const { done, value = '' } = await reader.read();
    const lines = (rest + value).split('\n');
    rest = done ? '' : lines.pop()!;
    for (const line of lines) if ((line !== '' || !done) && !call(line, ++number)) return void reader.cancel();
    if (done) return;
  }
}

/** Whether a file has few enough lines for the service to name all that fail. */
export async function hasFewLines(file: Blob): Promise<boolean> {
  if (file.size > maxCountedBytes) return false;
  let count = 0;
  await eachLine(file, () => ++count <= maxAccountedLines);
  return count <= maxAccountedLines;
}

/** The lines of a file that failed, as they are in it. */
export async function failedLines(file: Blob, errors: LineError[]): Promise<string> {
  const failed = new Set(errors.map(({ line }) => line));
  const found: string[] = [];
  await eachLine(file, (line, number) => {
    if (failed.delete(number)) found.push(line);
    return failed.size > 0;
  });
  return found.map((line) => `${line}\n`).join('');
}

/** Returns a function that takes the growing text of a response and returns the complete lines not returned before. */
export function lineReader(): (text: string) => string[] {
  let read = 0;
  return (text) => {
    const end = text.lastIndexOf('\n') + 1;
    const lines = text
      .slice(read, end)
      .split('\n')
      .filter((line) => line !== '');
    read = Math.max(read, end);
    return lines;
  };
}

// XMLHttpRequest, because fetch does not report upload progress.
function postFile(
  file: Blob,
  { onConflict, allErrors }: ImportOptions,
  token: string,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const lines = lineReader();
    let uploaded = 0;
    const errors: LineError[] = [];
    const readLines = () => {
      if (request.status !== 200) return;
      for (const text of lines(request.responseText)) {
        const line = JSON.parse(text) as Line;
        if (line.progress) onProgress({ uploaded, counts: line.progress });
        if (!line.errors) continue;
        errors.push(...line.errors);
        onProgress({ uploaded, errors });
      }
    };
    request.open('POST', addressOf(`/api/import?on_conflict=${onConflict}&errors=${allErrors ? 'all' : 'first'}`));
    request.setRequestHeader('Content-Type', 'application/x-ndjson');
    request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.upload.onprogress = (event) => onProgress({ uploaded: (uploaded = event.total > 0 ? event.loaded / event.total : 1) });
    request.onprogress = readLines;
    request.onload = () => {
      readLines();
      resolve(request);
    };
    request.onerror = () => reject(new Problem('UNREACHABLE', 'The service cannot be reached, or it ended the import', 0));
    request.onabort = () => reject(new Problem('ABORTED', 'Stopped', 0));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

/** Imports a file. Throws a Problem if no line was processed. */
export async function importFile(
  file: Blob,
  options: ImportOptions,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<ImportResult> {
  const token = session.token();
  const request = await postFile(file, options, token, onProgress, signal);
  const headers = new Headers(
    request
      .getAllResponseHeaders()
      .trim()
      .split(/\r?\n/)
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as [string, string]),
  );
  recordRateLimit(headers);
  const text = request.responseText;
  if (request.status === 401 && (await waitForLogin(text, token))) return importFile(file, options, onProgress, signal);
  const answer = { status: request.status, headers } as Response;
  const requestId = headers.get('X-Request-ID') ?? '';
  if (request.status !== 200) throw problemFromResponse(answer, parseLine(text));
  const last = parseLine(text.trim().split('\n').at(-1) ?? '');
  if (last?.error) return { counts: last.data ?? null, requestId, failure: problemFromResponse(answer, last) };
  if (!last?.data) return { counts: null, requestId, failure: new Problem('UNEXPECTED', 'The response ended too early', request.status) };
  return { counts: last.data, requestId };
}

function parseLine(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

/** Reports whether the user stopped the import. */
export const isAborted = (error: unknown) => asProblem(error).code === 'ABORTED';
