// The users and the sample graph of the flows.
import { connect, userPassword } from './api';
import { createSample } from './sample';

/** Users with different permissions, in addition to admin. */
const users = {
  viewer: ['read'],
  editor: ['read', 'create', 'edit'],
  keeper: ['read', 'create', 'edit', 'delete'],
  writer: ['create'],
} as const;

export async function createUsers(base: string) {
  const admin = await connect(base);
  for (const [username, permissions] of Object.entries(users)) {
    await admin('POST', '/api/admin/users', { username, password: userPassword, permissions });
  }
  return admin;
}

export const createFixtures = async (base: string) => createSample(await createUsers(base));
