// The databases of the flows: as many files of flows run at a time, each with its own database and gateway.

interface Database {
  uri: string;
  httpUrl: string;
}

const list = (name: string) => (process.env[name] ?? '').split(',').filter((text) => text !== '');

const httpUrls = list('NEO4J_TEST_HTTP');

/** Those of neo4jrun -servers, or else the one of the environment. */
export const databases: Database[] =
  httpUrls.length > 1
    ? list('NEO4J_TEST_WIPE').map((uri, at) => ({ uri, httpUrl: httpUrls[at]! }))
    : [{ uri: process.env['NEO4J_URI'] ?? '', httpUrl: process.env['NEO4J_HTTP_URL'] ?? '' }];

/** The number of this worker, from 0. */
export const worker = Number(process.env['VITEST_POOL_ID'] ?? 1) - 1;
