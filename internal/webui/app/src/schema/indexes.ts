// The indexes of properties, which administrators create.
import { client, unwrap } from '../api/client';
import type { components } from '../api/openapi';

export async function createIndex(body: components['schemas']['NewIndex']): Promise<components['schemas']['PropertyIndex']> {
  return (await unwrap(client.POST('/api/admin/indexes', { body }))).data.data;
}
