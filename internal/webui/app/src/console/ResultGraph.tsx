// The entities of an answer on the canvas, with all its tools. This file and Cytoscape are loaded when it is first shown.
import { useMemo, useState } from 'react';
import type { Schema } from '../api/graph';
import { Canvas, type RowSource } from '../canvas/CanvasView';
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
}

export default function ResultGraph({ answer, schema, open, onOpen }: Props) {
  const [state, setState] = useState<View>(() => ({ ...parseView(new URLSearchParams()), view: 'graph' }));
  const view = useMemo(() => ({ ...state, open }), [state, open]);
  const rows = useMemo<Row[]>(() => [...answer.nodes, ...answer.edges], [answer]);
  const change: ChangeView = (changed) => {
    const next = typeof changed === 'function' ? changed(view) : changed;
    if ('open' in next) onOpen(next.open ?? null);
    setState((now) => ({ ...now, ...next }));
  };
  return <Canvas rows={rows} complete list={whole} view={view} change={change} schema={schema} onCancel={() => undefined} />;
}
