// Imports a file of lines. The file is streamed from the disk, and the service says meanwhile how far it is.
import { loggedInAgain } from '../api/client';
import type { components } from '../api/openapi';
import { asProblem, Problem, problemOf } from '../api/problem';
import { noteRate } from '../api/rate';
import { session } from '../session/session';

export type Counts = components['schemas']['ImportCounts'];
export type OnConflict = 'error' | 'skip' | 'merge';

export interface Progress {
  /** How much of the file has been taken, from 0 to 1. The service reads on only as it writes. */
  taken: number;
  counts?: Omit<Counts, 'errors'>;
}

export interface Imported {
  counts: Counts | null;
  /** What broke it off; what was written until then stays. */
  broken?: Problem;
}

interface Line {
  progress?: Omit<Counts, 'errors'>;
  data?: Counts;
  error?: unknown;
}

/** Takes text as it comes and gives whole lines. The text grows, as that of a request does. */
export function lineReader(): (text: string) => string[] {
  let read = 0;
  return (text) => {
    const end = text.lastIndexOf('\n') + 1;
    const lines = text.slice(read, end).split('\n').filter((line) => line !== '');
    read = Math.max(read, end);
    return lines;
  };
}

// XMLHttpRequest, because fetch does not say how much of a body has been sent.
function post(file: Blob, on: OnConflict, token: string, tell: (progress: Progress) => void, signal: AbortSignal): Promise<XMLHttpRequest> {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    const lines = lineReader();
    let taken = 0;
    request.open('POST', `/api/import?on_conflict=${on}`);
    request.setRequestHeader('Content-Type', 'application/x-ndjson');
    request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.upload.onprogress = (event) => tell({ taken: (taken = event.total > 0 ? event.loaded / event.total : 1) });
    request.onprogress = () => {
      if (request.status !== 200) return;
      for (const line of lines(request.responseText)) {
        const { progress } = JSON.parse(line) as Line;
        if (progress) tell({ taken, counts: progress });
      }
    };
    request.onload = () => done(request);
    request.onerror = () => failed(new Problem('UNREACHABLE', 'The service cannot be reached, or it ended the import', 0));
    request.onabort = () => failed(new Problem('ABORTED', 'Stopped', 0));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

/** Imports a file. A Problem is thrown where not a line of it was taken. */
export async function importFile(file: Blob, on: OnConflict, tell: (progress: Progress) => void, signal: AbortSignal): Promise<Imported> {
  const token = session.token();
  const request = await post(file, on, token, tell, signal);
  const headers = new Headers(request.getAllResponseHeaders().trim().split(/\r?\n/).map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as [string, string]));
  noteRate(headers);
  const text = request.responseText;
  if (request.status === 401 && (await loggedInAgain(text, token))) return importFile(file, on, tell, signal);
  const answer = { status: request.status, headers } as Response;
  if (request.status !== 200) throw problemOf(answer, readLine(text));
  const last = readLine(text.trim().split('\n').at(-1) ?? '');
  if (last?.error) return { counts: last.data ?? null, broken: problemOf(answer, last) };
  if (!last?.data) return { counts: null, broken: new Problem('UNEXPECTED', 'The answer ended too early', request.status) };
  return { counts: last.data };
}

function readLine(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}

/** Whether somebody stopped it, rather than something. */
export const stopped = (error: unknown) => asProblem(error).code === 'ABORTED';
