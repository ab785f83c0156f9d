import type { MouseEvent } from 'react';
import type { Value } from './value';

const stop = (event: MouseEvent) => event.stopPropagation();
// In a table the row is the stop of the Tab key, and a click on it opens the row.
const tableLink = { tabIndex: -1, onClick: stop, onDoubleClick: stop };

/** The text of a value; a link if the value is an address of the web and shown as it is. */
export function LinkedText({ value, text, inTable = false }: { value: Value | undefined; text: string; inTable?: boolean }) {
  if (value !== text || !/^https?:\/\/[^\s/]+\S*$/i.test(text)) return text;
  return (
    <a href={text} target="_blank" rel="noopener noreferrer" {...(inTable ? tableLink : {})}>
      {text}
    </a>
  );
}
