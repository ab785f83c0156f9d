import type { TestProject } from 'vitest/node';
import { databases } from './databases';
import { createFixtures, createUsers } from './fixtures';
import { startGateway, type Gateway } from './gateway';
import type { Sample } from './sample';

/** What the flows of one worker use. */
interface Environment {
  base: string;
  /** Not on a large graph that is measured: it stays as it is. */
  sample?: Sample;
}

declare module 'vitest' {
  interface ProvidedContext {
    environments: Environment[];
  }
}

export default async function setup(project: TestProject) {
  const gateways: Gateway[] = [];
  const environments: Environment[] = [];
  const stop = () => Promise.all(gateways.map((gateway) => gateway.stop()));
  try {
    for (const { uri } of databases) {
      // The endpoints of webhooks are servers of the flows.
      const gateway = await startGateway(3600, { NEO4J_URI: uri, GRAPHREST_WEBHOOK_ALLOW: '127.0.0.1' });
      gateways.push(gateway);
      if (process.env['MEASURE'] === 'large') await createUsers(gateway.base);
      environments.push(
        process.env['MEASURE'] === 'large' ? { base: gateway.base } : { base: gateway.base, sample: await createFixtures(gateway.base) },
      );
    }
  } catch (error) {
    await stop(); // vitest calls no teardown for a set-up that fails
    throw error;
  }
  project.provide('environments', environments);
  return stop;
}
