// The editor of a query. CodeMirror is loaded with the console.
import { autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { Schema } from '../api/graph';
import { completeCypher } from './completion';
import { cypherLanguage, cypherStyle } from './cypherLanguage';
import type { Remark } from './queries';

interface Props {
  value: string;
  onChange: (text: string) => void;
  onRun: () => void;
  schema: Schema | undefined;
  /** What the service says of the text. */
  remarks: Remark[];
}

/** The part of the text that a remark is about: the word at its place, or the first line. */
function diagnosticOf(text: Text, { line, column, severity, message }: Remark): Diagnostic {
  const at = text.line(Math.max(1, Math.min(text.lines, line || 1)));
  const from = Math.min(at.to, at.from + Math.max(0, column - 1));
  const word = /^[\p{L}\p{N}_]+|^./u.exec(text.sliceString(from, at.to))?.[0].length ?? 0;
  return { from, to: line === 0 ? at.to : from + word, severity, message };
}

export function CypherEditor({ value, onChange, onRun, schema, remarks }: Props) {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  // The editor outlives a render; its handlers read the current properties from this ref.
  const current = useRef({ onChange, onRun, schema });
  current.current = { onChange, onRun, schema };

  useEffect(() => {
    const run = (editor: EditorView) => {
      closeCompletion(editor);
      current.current.onRun();
      return true;
    };
    const editor = new EditorView({
      parent: parent.current!,
      state: EditorState.create({
        doc: value,
        extensions: [
          lineNumbers(),
          lintGutter(),
          history(),
          drawSelection(),
          highlightSpecialChars(),
          bracketMatching(),
          closeBrackets(),
          cypherLanguage,
          cypherStyle,
          // Typing asks for completions a moment later; if the focus has left by then, they must not open.
          EditorView.domEventHandlers({
            blur: ({ relatedTarget }, left) => {
              if (relatedTarget instanceof Element && relatedTarget.closest('.cm-tooltip')) return;
              setTimeout(() => closeCompletion(left));
            },
          }),
          autocompletion({ override: [completeCypher(() => current.current.schema)] }),
          // Tab leaves the editor, as everywhere on the page.
          keymap.of([
            { key: 'Mod-Enter', run },
            ...closeBracketsKeymap,
            ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
            ...historyKeymap,
            ...completionKeymap,
            ...lintKeymap,
          ]),
          placeholder('MATCH (p:Person) RETURN p LIMIT 100'),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'Cypher query', spellcheck: 'false' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) current.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a new value is set below, without a new editor
  }, []);

  useEffect(() => {
    const editor = view.current!;
    const now = editor.state.doc.toString();
    if (now !== value) editor.dispatch({ changes: { from: 0, to: now.length, insert: value } });
  }, [value]);
  useEffect(() => {
    const { state } = view.current!;
    view.current!.dispatch(
      setDiagnostics(
        state,
        remarks.map((remark) => diagnosticOf(state.doc, remark)),
      ),
    );
  }, [remarks]);
  return <div className="cypher-editor" ref={parent} />;
}
