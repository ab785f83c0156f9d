import { notifications } from '@mantine/notifications';
import { asProblem, type Problem } from '../api/problem';
import { isTimeout, timeoutCauses } from '../api/timeout';

export function notify(message: string, title?: string) {
  notifications.show({ message, title, color: 'teal', autoClose: 4000 });
}

/** Reports what was changed, and how the keyboard reaches its undo. */
export function notifyChange(message: string, title: string) {
  notify(`${message}${message === '' || message.endsWith('.') ? '' : '.'} Ctrl Z goes to Undo.`.trim(), title);
}

export function notifyProblem(error: unknown, title: string) {
  const problem = asProblem(error);
  if (problem.code === 'ABORTED') return;
  notifications.show({ message: textOf(problem), title, color: 'red', autoClose: 10000 });
}

function textOf(problem: Problem): string {
  if (!isTimeout(problem)) return problem.text;
  return [problem.message, ...timeoutCauses(problem).map((cause) => `${cause.label}: ${cause.message}`)].join('. ');
}

/** Copies a text. Shows an error if the browser denies access to the clipboard, as on plain http. */
export async function copyText(text: string, subject: string) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (!done) return notifications.show({ message: 'The browser does not allow this page to copy.', color: 'red' });
  }
  notify(`${subject} copied`);
}
