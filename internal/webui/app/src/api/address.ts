// Where the service is reached: a proxy may publish it under a path, which the service writes into the page.

/** The path, without a slash at its end; empty for the root of the host. */
export const basePath = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '';

/** The address of a path of the service on this host. */
export const addressOf = (path: string) => basePath + path;

/** The key under which something is stored in the browser: services under other paths of the host have keys of their own. */
export const storedAs = (key: string) => key + basePath;
