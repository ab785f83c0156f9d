import { notifications } from '@mantine/notifications';
import { asProblem } from '../api/problem';

export function notify(message: string, title?: string) {
  notifications.show({ message, title, color: 'teal', autoClose: 4000 });
}

export function notifyProblem(error: unknown, title: string) {
  const problem = asProblem(error);
  if (problem.code === 'ABORTED') return;
  notifications.show({ message: problem.text, title, color: 'red', autoClose: 10000 });
}

/** Copies a text; where the clipboard is closed (plain http), it says so. */
export async function copyText(text: string, what: string) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (!done) return notifications.show({ message: 'The browser does not let this page copy.', color: 'red' });
  }
  notify(`${what} copied`);
}
