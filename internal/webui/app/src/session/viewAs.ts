// Viewing as a user or a role: the pages show what they see, read only. Whom the tab views as is the beginning of every path, so that
// links keep it; entering and leaving load the page, so that nothing that was read for one is shown to the other.
import { addressOf, basePath } from '../api/address';
import { Problem } from '../api/problem';

export interface ViewAs {
  kind: 'user' | 'role';
  name: string;
}

const pathPattern = /^\/as\/(user|role):([^/]+)(?=\/|$)/;

/** Whom a path views as, and its prefix that names them; null and empty for nobody. */
export function parseViewAs(path: string): { as: ViewAs | null; basename: string } {
  const found = pathPattern.exec(path);
  try {
    if (found) return { as: { kind: found[1] as ViewAs['kind'], name: decodeURIComponent(found[2]!) }, basename: found[0] };
  } catch {
    // The percent-encoding is wrong.
  }
  return { as: null, basename: '' };
}

const shown = parseViewAs((globalThis.location?.pathname ?? '').slice(basePath.length));

export const viewAs = shown.as;

/** What the paths of all pages begin with. */
export const basename = addressOf(shown.basename);

export const viewAsHeader = 'Graphrest-View-As';

/** The value of the header. */
export const viewAsValue = ({ kind, name }: ViewAs) => `${kind}:${encodeURIComponent(name)}`;

/** The page that begins to view as somebody. */
export const viewAsPath = (as: ViewAs) => addressOf(`/as/${viewAsValue(as)}/explore`);

/** Stops viewing as somebody, on the same page. */
export function leaveView() {
  location.assign(addressOf(location.pathname.slice(basename.length) || '/explore') + location.search);
}

// Reads of the graph that have a body.
const readsByPost = ['/api/edges/among'];

const isAccountPath = (path: string) => path.startsWith('/api/auth/') || path.startsWith('/api/admin/');

const isViewsPath = (path: string) => path === '/api/views' || path.startsWith('/api/views/');

/** Adds the header to a read of the graph. Throws a Problem for a request that would change something. */
export function applyViewAs(request: Request) {
  const path = new URL(request.url).pathname.slice(basePath.length);
  if (!viewAs || isAccountPath(path)) return;
  if (request.method === 'GET' && isViewsPath(path)) return; // saved views are the administrator's own
  if (request.method !== 'GET' && !readsByPost.includes(path))
    throw new Problem('READ_ONLY', `You view as ${viewAs.name}: nothing can be changed`, 0);
  request.headers.set(viewAsHeader, viewAsValue(viewAs));
}
