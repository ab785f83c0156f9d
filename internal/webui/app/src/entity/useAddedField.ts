import { useState } from 'react';
import { newField, type Field } from './form';

/** Adds an empty field at the end of a form, and knows which one was added last: it takes the focus. */
export function useAddedField(
  fields: Field[],
  onChange: (fields: Field[]) => void,
): { isAdded: (field: Field) => boolean; add: () => void } {
  const [key, setKey] = useState(-1);
  function add() {
    const field = newField();
    setKey(field.key);
    onChange([...fields, field]);
  }
  return { isAdded: (field) => field.key === key, add };
}
