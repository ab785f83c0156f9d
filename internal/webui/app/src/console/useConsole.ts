// The state of the console: the text with its parameters in the address, the run, and what the service says of the text.
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { asProblem, type Problem } from '../api/problem';
import { useSession } from '../session/session';
import type { Answer } from './answer';
import { parseConsole, serializeConsole, type ConsoleState } from './link';
import { parameterNames, parseParameters } from './parameters';
import { explainCypher, remarksOf, runCypher, type Remark } from './queries';
import { keepHistory, loadHistory, recordQuery } from './queryHistory';

const typingPause = 900; // milliseconds after which the text is checked: each check counts as a request

/** The state in the fragment of the address; it follows changes, also those of the browser's history. */
function useConsoleState() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [state, setState] = useState(() => parseConsole(hash));
  const written = useRef(hash);
  useEffect(() => {
    if (hash === written.current) return; // of this page
    written.current = hash;
    setState(parseConsole(hash));
  }, [hash]);
  const change = useCallback((part: Partial<ConsoleState>) => setState((now) => ({ ...now, ...part })), []);
  const [settled] = useDebouncedValue(state, 300);
  useEffect(() => {
    const next = settled.cypher === '' ? '' : serializeConsole(settled);
    if (next === written.current) return;
    written.current = next;
    void navigate({ hash: next }, { replace: true });
  }, [settled, navigate]);
  return [state, change] as const;
}

interface Run {
  answer: Answer | null;
  problem: Problem | null;
  running: boolean;
}

export function useConsole() {
  const { me } = useSession();
  const userId = me?.id ?? '';
  const [state, change] = useConsoleState();
  const names = useMemo(() => parameterNames(state.cypher), [state.cypher]);
  const { values, errors } = useMemo(() => parseParameters(names, state.drafts), [names, state.drafts]);
  const [history, setHistory] = useState(() => loadHistory(userId));
  const [run, setRun] = useState<Run>({ answer: null, problem: null, running: false });
  const [failed, setFailed] = useState<{ cypher: string; remarks: Remark[] } | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const [checked] = useDebouncedValue(state.cypher, typingPause);
  const check = useQuery({
    queryKey: ['explain', checked, names.length],
    queryFn: ({ signal }) => explainCypher(checked, values, signal),
    enabled: checked.trim() !== '' && Object.keys(errors).length === 0,
    staleTime: Infinity,
    retry: false,
  });
  const explained = checked === state.cypher ? check.data : undefined;

  async function start() {
    if (state.cypher.trim() === '' || Object.keys(errors).length > 0) return;
    controller.current?.abort();
    const own = (controller.current = new AbortController());
    const { cypher, drafts } = state;
    setRun((now) => ({ ...now, problem: null, running: true }));
    setFailed(null);
    setHistory(recordQuery(userId, cypher, drafts));
    try {
      const answer = await runCypher(cypher, values, own.signal);
      setRun({ answer, problem: null, running: false });
    } catch (error) {
      if (controller.current !== own) return; // a later run replaced it
      setRun({ answer: null, problem: asProblem(error), running: false });
      setFailed({ cypher, remarks: remarksOf(error) });
    }
  }
  const remarks = useMemo(() => {
    const ofRun = failed?.cypher === state.cypher ? failed.remarks : [];
    return ofRun.length > 0 ? ofRun : (explained?.remarks ?? []);
  }, [failed, state.cypher, explained]);
  return {
    state,
    change,
    names,
    values,
    errors,
    ...run,
    problem: failed?.cypher === state.cypher ? run.problem : null, // another text may have none
    remarks,
    plan: explained?.plan ?? null,
    start: () => void start(),
    cancel: () => controller.current?.abort(),
    history,
    clearHistory: () => setHistory(keepHistory(userId, [])),
  };
}
