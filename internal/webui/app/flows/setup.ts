import type { TestProject } from 'vitest/node';
import { createFixtures, createUsers } from './fixtures';
import { startGateway, type Gateway } from './gateway';
import type { Sample } from './sample';

declare module 'vitest' {
  interface ProvidedContext {
    base: string;
    sample: Sample;
  }
}

export default async function setup(project: TestProject) {
  // The endpoints of webhooks are servers of the flows.
  const gateway: Gateway = await startGateway(3600, { GRAPHREST_WEBHOOK_ALLOW: '127.0.0.1' });
  project.provide('base', gateway.base);
  // A large graph that is measured stays as it is.
  if (process.env['MEASURE'] === 'large') await createUsers(gateway.base);
  else project.provide('sample', await createFixtures(gateway.base));
  return () => gateway.stop();
}
