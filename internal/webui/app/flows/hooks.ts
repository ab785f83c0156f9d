import { afterEach, expect } from 'vitest';
import { closeContexts, describePages } from './browser';
import { databases, worker } from './databases';

// For the gateways that a flow starts, and for what it does in Cypher.
const { uri, httpUrl } = databases[worker]!;
Object.assign(process.env, { NEO4J_URI: uri, NEO4J_HTTP_URL: httpUrl });

afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(`${task.name}:\n${await describePages()}`);
  expect(await closeContexts()).toEqual([]);
});
