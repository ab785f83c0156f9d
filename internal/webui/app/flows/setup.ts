import type { TestProject } from 'vitest/node';
import { prepare, startGateway, type Running } from './gateway';
import type { Sample } from './sample';

declare module 'vitest' {
  interface ProvidedContext {
    base: string;
    sample: Sample;
  }
}

export default async function setup(project: TestProject) {
  const gateway: Running = await startGateway();
  project.provide('base', gateway.base);
  project.provide('sample', await prepare(gateway.base));
  return () => gateway.stop();
}
