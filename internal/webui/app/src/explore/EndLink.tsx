import type { EdgeEnd } from '../api/graph';
import { captionOrId } from '../values/text';
import { TypeMark } from './TypeMark';

interface Props {
  end: EdgeEnd | undefined;
  id: string;
  /** In a table the row has the focus: the button is not a separate tab stop. */
  inTable?: boolean;
  onOpen: (id: string) => void;
}

/** The node at an end of an edge, by its name and colour; opens it. */
export function EndLink({ end, id, inTable = false, onOpen }: Props) {
  const name = captionOrId(end?.caption, id);
  return (
    <button
      type="button"
      className={end?.caption ? 'linkbutton end-link' : 'linkbutton end-link mono'}
      aria-label={`Node ${name}`}
      tabIndex={inTable ? -1 : undefined}
      onClick={(event) => {
        event.stopPropagation();
        onOpen(id);
      }}
    >
      {end && <TypeMark kind="node" type={end.type} />}
      <span className="type-name">{name}</span>
    </button>
  );
}
