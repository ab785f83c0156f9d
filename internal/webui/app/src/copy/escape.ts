// Copied texts are pasted into shells, where a line break ends a command and a control character is one.

/**
 * Writes what has no visible form as \uXXXX, which Cypher and JSON both read: line breaks and other control characters, separators other
 * than the space, format characters such as those that change the direction of text, and halves of surrogate pairs.
 */
export function escapeInvisible(text: string): string {
  return text.replace(/(?! )[\p{C}\p{Z}]/gu, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}
