// The saved view that is open on the Explore page. The address names it and the version that was opened, so that saving it after a reload
// does not overwrite what was saved meanwhile.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { EntityKind } from '../api/graph';
import { layoutNameOf, loadLayout, useDrawn } from '../canvas/layoutStorage';
import { appearanceSettings, showSavedAppearance, useAppearanceVersion } from '../explore/appearance';
import type { View } from '../explore/url';
import { decodeState, isSameState, type ViewState } from './state';
import { getView, viewKey, type SavedView } from './views';

export interface Opened {
  id: string;
  /** The version whose state was opened or saved last. */
  version: number;
}

export const serializeOpened = ({ id, version }: Opened) => `${id}@${version}`;

export function parseOpened(text: string): Opened | null {
  const [, id, version] = /^([^@]{1,64})@(\d{1,9})$/.exec(text) ?? [];
  return id === undefined ? null : { id, version: Number(version) };
}

/** The state, or null if it cannot be used. */
export function readState(view: SavedView | undefined): ViewState | null {
  try {
    return view ? decodeState(view.state) : null;
  } catch {
    return null;
  }
}

/** Reads the saved view that is open. */
export function useSavedView(opened: Opened | null) {
  return useQuery({
    queryKey: viewKey(opened?.id ?? ''),
    queryFn: ({ signal }) => getView(opened!.id, signal),
    enabled: opened !== null,
    staleTime: Infinity,
    retry: false,
  });
}

/** The saved view that is open, what it has saved, what the page shows now, and whether these differ. */
export function useOpenedView(view: View, typesOfRows: () => Record<EntityKind, string[]>) {
  const opened = parseOpened(view.saved);
  const read = useSavedView(opened);
  const saved = opened ? read.data : undefined;
  // eslint-disable-next-line react-hooks/exhaustive-deps -- a new name keeps the changes
  const state = useMemo(() => readState(saved), [saved?.state]);
  useEffect(() => showSavedAppearance(state?.appearance ?? null), [state]);
  useEffect(() => () => showSavedAppearance(null), []);

  useAppearanceVersion();
  const drawn = useDrawn();
  const readNow = (): ViewState => ({
    view,
    appearance: appearanceSettings(drawn?.types() ?? typesOfRows()),
    positions: view.view === 'graph' ? (drawn?.positions() ?? loadLayout(layoutNameOf(view))) : new Map(),
  });
  return {
    opened,
    saved,
    unreadable: opened !== null && read.isError,
    changed: saved !== undefined && (state === null || !isSameState(state, readNow())),
    readNow,
  };
}
