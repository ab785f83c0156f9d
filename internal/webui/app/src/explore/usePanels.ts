// The widths of the list of types and of the panel, and whether the list of types is folded, as this browser keeps them.
import { useMediaQuery } from '@mantine/hooks';
import { useCallback, useState, type CSSProperties } from 'react';
import { readLocalRecord, writeLocal } from '../shell/localStorage';
import type { View } from './url';

export type PanelName = 'types' | 'panel';

interface Panels {
  /** In pixels; absent for the default. */
  types?: number;
  panel?: number;
  folded?: boolean;
}

export const panelBounds: Record<PanelName, { min: number; max: number }> = {
  types: { min: 150, max: 480 },
  panel: { min: 280, max: 720 },
};
const defaults: Record<PanelName, number> = { types: 232, panel: 380 };

const storageKey = 'graphrest.panels';

const clamp = (name: PanelName, width: number) => Math.round(Math.max(panelBounds[name].min, Math.min(panelBounds[name].max, width)));

function load(): Panels {
  const { types, panel, folded } = readLocalRecord<unknown>(storageKey);
  const width = (name: PanelName, value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) ? { [name]: clamp(name, value) } : {};
  return { ...width('types', types), ...width('panel', panel), ...(typeof folded === 'boolean' ? { folded } : {}) };
}

/** The layout of the Explore page, and functions to change it; null restores the default width. */
export function usePanels(view: View) {
  const [panels, setPanels] = useState(load);
  // Beside an open panel the canvas would keep too little of a small screen, so the types give way until they are asked for.
  const isSmall = useMediaQuery('(max-width: 1440px)', false, { getInitialValueInEffect: false });
  const yields = isSmall && view.view === 'graph' && view.open !== null;
  const [shownAnyway, setShownAnyway] = useState(false);
  const folded = panels.folded === true || (yields && !shownAnyway);

  const keep = useCallback((next: Panels) => {
    setPanels(next);
    writeLocal(storageKey, next);
  }, []);
  const setWidth = (name: PanelName, width: number | null) => {
    const { [name]: _, ...others } = panels;
    keep(width === null ? others : { ...others, [name]: clamp(name, width) });
  };
  const setFolded = (next: boolean) => {
    setShownAnyway(!next);
    if (next !== (panels.folded === true) && !(yields && panels.folded !== true)) keep({ ...panels, folded: next });
  };
  const style = {
    ...(panels.types ? { '--types-width': `${panels.types}px` } : {}),
    ...(panels.panel ? { '--panel-width': `${panels.panel}px` } : {}),
  } as CSSProperties;
  return { folded, setFolded, style, widthOf: (name: PanelName) => panels[name] ?? defaults[name], setWidth };
}

export type PanelLayout = ReturnType<typeof usePanels>;
