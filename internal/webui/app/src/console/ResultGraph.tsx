// The entities of an answer on the canvas, with all its tools. This file and Cytoscape are loaded when it is first shown.
import { useEffect, useMemo, useState } from 'react';
import type { Schema } from '../api/graph';
import { Canvas, type RowSource } from '../canvas/CanvasView';
import { rememberCanvas } from '../canvas/openCanvas';
import type { Row } from '../explore/lists';
import { parseView, type ChangeView, type EntityRef, type View } from '../explore/url';
import type { Answer } from './answer';

/** An answer is whole: there is nothing to load. */
const whole: RowSource = {
  hasNextPage: false,
  isFetching: false,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  error: null,
  fetchNextPage: () => Promise.resolve({ isSuccess: false, data: undefined }),
};

interface Props {
  answer: Answer;
  schema: Schema;
  open: EntityRef | null;
  onOpen: (entity: EntityRef | null) => void;
  /** The view that keeps the steps on the canvas; without it they last as long as the page. */
  canvas?: { view: View; change: ChangeView };
}

export default function ResultGraph({ canvas, ...shown }: Props) {
  if (!canvas) return <PassingCanvas {...shown} />;
  return <AnswerCanvas answer={shown.answer} schema={shown.schema} {...canvas} />;
}

function AnswerCanvas({ answer, schema, view, change }: Pick<Props, 'answer' | 'schema'> & { view: View; change: ChangeView }) {
  const rows = useMemo<Row[]>(() => [...answer.nodes, ...answer.edges], [answer]);
  useEffect(() => {
    if (view.question) rememberCanvas(view);
  }, [view]);
  return <Canvas rows={rows} complete list={whole} view={view} change={change} schema={schema} onCancel={() => undefined} />;
}

function PassingCanvas({ answer, schema, open, onOpen }: Omit<Props, 'canvas'>) {
  const [state, setState] = useState<View>(() => ({ ...parseView(new URLSearchParams()), view: 'graph' }));
  const view = useMemo(() => ({ ...state, open }), [state, open]);
  const change: ChangeView = (changed) => {
    const next = typeof changed === 'function' ? changed(view) : changed;
    if ('open' in next) onOpen(next.open ?? null);
    setState((now) => ({ ...now, ...next }));
  };
  return <AnswerCanvas answer={answer} schema={schema} view={view} change={change} />;
}
