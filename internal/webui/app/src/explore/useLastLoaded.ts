import { useEffect, useMemo, useRef } from 'react';
import { useNavigate } from 'react-router';
import { explorePath, type View } from './url';

export interface LastLoaded {
  /** The view whose rows were loaded last; null if there is none. */
  view: () => View | null;
  record: (view: View) => void;
  /** Returns to the recorded view, which replaces the entry of the browser's history. The panel stays as it is. */
  restore: (open: View['open']) => void;
}

/** Records the view whose rows were loaded last, to return to it when the user cancels the loading of another one. */
export function useLastLoaded(): LastLoaded {
  const navigate = useNavigate();
  const navigateNow = useRef(navigate);
  navigateNow.current = navigate;
  const last = useRef<View | null>(null);
  return useMemo(
    () => ({
      view: () => last.current,
      record: (view) => {
        last.current = view;
      },
      restore: (open) => {
        if (last.current) void navigateNow.current(explorePath({ ...last.current, open }), { replace: true });
      },
    }),
    [],
  );
}

/** Records the view as soon as its rows are loaded. */
export function useRecordLoaded(lastLoaded: LastLoaded, view: View, loaded: boolean) {
  useEffect(() => {
    if (loaded) lastLoaded.record(view);
  }, [lastLoaded, view, loaded]);
}
