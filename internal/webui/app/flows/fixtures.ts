// The users and the sample graph of the flows.
import { connect, userPassword, users } from './api';
import { createSample } from './sample';

export async function createUsers(base: string) {
  const admin = await connect(base);
  for (const [username, permissions] of Object.entries(users)) {
    await admin('POST', '/api/admin/users', { username, password: userPassword, permissions });
  }
  return admin;
}

export const createFixtures = async (base: string) => createSample(await createUsers(base));
