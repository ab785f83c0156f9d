// A canvas whose address names a saved view, in a tab that has not opened the view: the positions of its nodes are read first.
import { useEffect, useState, type ReactNode } from 'react';
import { layoutNameOf, placeSaved } from '../canvas/layoutStorage';
import type { View } from '../explore/url';
import { Loading } from '../shell/States';
import { parseOpened, readState, useSavedView } from './opened';

export default function PlacedCanvas({ view, children }: { view: View; children: ReactNode }) {
  const opened = parseOpened(view.saved);
  const [placed, setPlaced] = useState(opened === null);
  const read = useSavedView(opened);
  useEffect(() => {
    if (placed || read.isPending) return;
    const state = readState(read.data);
    // Without a view that can be read, the canvas places its nodes itself.
    if (state && layoutNameOf(state.view) === layoutNameOf(view)) placeSaved(layoutNameOf(view), state.positions);
    setPlaced(true);
  }, [placed, read.isPending, read.data, view]);
  return placed ? children : <Loading subject="the saved view" />;
}
