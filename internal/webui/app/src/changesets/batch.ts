// Batches: operations that are applied together, and the fields of their errors.
import { client, unwrap } from '../api/client';
import { idempotencyHeader, type GraphEdge, type GraphNode } from '../api/graph';
import type { Operation } from './operations';

export interface BatchResult {
  id: string;
  data: GraphNode | GraphEdge | { deleted_edges?: number } | null;
}

export interface BatchOutcome {
  requestId: string;
  results: BatchResult[];
}

/** Applies the operations together, or with dryRun only checks them. */
export async function applyBatch(operations: Operation[], dryRun: boolean, signal?: AbortSignal): Promise<BatchOutcome> {
  const params = dryRun ? { query: { dry_run: true } } : { header: idempotencyHeader() };
  const result = await unwrap(client.POST('/api/batch', { params, body: { operations } as never, ...(signal ? { signal } : {}) }));
  return { requestId: result.requestId, results: result.data.data.results as unknown as BatchResult[] };
}

/** The index in a field such as operations[3].properties.name; -1 if there is none. */
export function operationIndex(field: string): number {
  return Number(/^operations\[(\d+)\]/.exec(field)?.[1] ?? -1);
}

/** The part of a field after its operation: "properties.name". */
export const fieldWithinOperation = (field: string) => field.replace(/^operations\[\d+\]\.?/, '');
