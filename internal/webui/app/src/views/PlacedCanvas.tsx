// A canvas whose address names a saved view, in a tab that has not opened the view: the positions of its nodes are read first.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { layoutNameOf, saveLayout } from '../canvas/layoutStorage';
import type { View } from '../explore/url';
import { Loading } from '../shell/States';
import { parseOpened, readState } from './opened';
import { getView, viewKey } from './views';

export default function PlacedCanvas({ view, children }: { view: View; children: ReactNode }) {
  const opened = parseOpened(view.saved);
  const [placed, setPlaced] = useState(opened === null);
  const read = useQuery({
    queryKey: viewKey(opened?.id ?? ''),
    queryFn: ({ signal }) => getView(opened!.id, signal),
    enabled: opened !== null,
    staleTime: Infinity,
    retry: false,
  });
  useEffect(() => {
    if (placed || read.isPending) return;
    const state = readState(read.data);
    // Without a view that can be read, the canvas places its nodes itself.
    if (state && layoutNameOf(state.view) === layoutNameOf(view)) saveLayout(layoutNameOf(view), state.positions);
    setPlaced(true);
  }, [placed, read.isPending, read.data, view]);
  return placed ? children : <Loading subject="the saved view" />;
}
