import { useState } from 'react';

/**
 * What is entered in the parts of a value, which may not be a value yet; entering also takes the text that the parts stand for. Another
 * text comes from outside and is parsed.
 */
export function useEntered<T>(text: string, parse: (text: string) => T): [T, (parts: T, text: string) => void] {
  const [entered, setEntered] = useState(() => ({ parts: parse(text), text }));
  return [entered.text === text ? entered.parts : parse(text), (parts, composed) => setEntered({ parts, text: composed })];
}
