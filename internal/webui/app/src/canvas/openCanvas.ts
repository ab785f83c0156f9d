// The canvas that is open: the one that this tab showed last. Other pages add to it.
import { storedAs } from '../api/address';
import { explorePath, parseView, serializeView, type View } from '../explore/url';
import { parseSteps, serializeSteps, type Addition } from './steps';

const storageKey = storedAs('graphrest.canvas');

export function rememberCanvas(view: View) {
  try {
    sessionStorage.setItem(storageKey, serializeView({ ...view, open: null }).toString());
  } catch {
    // Storage may be disabled; then a new canvas begins.
  }
}

/** After a log-out: the next user has not opened it. */
export function forgetCanvas() {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Storage is disabled.
  }
}

function openCanvas(): View | null {
  try {
    const text = sessionStorage.getItem(storageKey);
    return text === null ? null : parseView(new URLSearchParams(text));
  } catch {
    return null;
  }
}

/** The path of the open canvas with an addition, or of a new canvas that begins with it. */
export function canvasPath(addition: Addition): string {
  const open = openCanvas();
  if (open) return explorePath({ ...open, steps: serializeSteps([...parseSteps(open.steps), { do: 'add', ...addition }]) });
  if ('question' in addition) return explorePath({ question: addition.question, view: 'graph' });
  if ('list' in addition) return explorePath({ ...parseView(new URLSearchParams(addition.list)), view: 'graph' });
  const [first = '', ...others] = addition.ids;
  return explorePath({ view: 'graph', start: first, steps: others.length > 0 ? serializeSteps([{ do: 'add', ids: others }]) : '' });
}
