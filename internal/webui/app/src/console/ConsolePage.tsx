// The console: a Cypher query, run under the guard of saved queries. This page and CodeMirror are loaded when it is first shown.
import { ActionIcon, Button, Menu, Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { History, Link as LinkIcon, Play, Save, Square } from 'lucide-react';
import { Suspense, useState } from 'react';
import { onDemand } from '../api/onDemand';
import { getSchema } from '../api/graph';
import { EntityPanel } from '../entity/EntityPanel';
import type { EntityRef, PanelTab } from '../explore/url';
import { usePermissions } from '../session/session';
import { copyText } from '../shell/notify';
import { ProblemText } from '../shell/ProblemText';
import { EmptyState } from '../shell/States';
import { Waiting } from '../shell/Waiting';
import { escapeInvisible, formatTime } from '../values/text';
import { CypherEditor } from './CypherEditor';
import { ParameterForm } from './ParameterForm';
import type { Remark } from './queries';
import type { RanQuery } from './queryHistory';
import { Results } from './Results';
import { useConsole } from './useConsole';
import './console.css';

const SaveDialog = onDemand(() => import('./SaveDialog'));

export default function ConsolePage() {
  const may = usePermissions();
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema, enabled: may.see });
  const console = useConsole();
  const { state, change, names, drafts, errors, answer, problem, running, remarks } = { ...console, drafts: console.state.drafts };
  const [open, setOpen] = useState<EntityRef | null>(null);
  const [tab, setTab] = useState<PanelTab>('properties');
  const [saving, setSaving] = useState(false);
  return (
    <div className="console">
      <div className="console-main">
        <Bar console={console} onSave={may.admin ? () => setSaving(true) : null} />
        <CypherEditor
          value={state.cypher}
          onChange={(cypher) => change({ cypher })}
          onRun={console.start}
          schema={schema.data}
          remarks={remarks}
        />
        <Remarks remarks={remarks} />
        <ParameterForm
          names={names}
          drafts={drafts}
          errors={errors}
          onChange={(name, draft) => change({ drafts: { ...drafts, [name]: draft } })}
          onRun={console.start}
        />
        {running && <Waiting subject="the query" />}
        {problem && problem.code !== 'ABORTED' && (
          <div className="console-problem" role="alert">
            <ProblemText error={problem} />
          </div>
        )}
        {answer || state.view === 'plan' ? (
          <Results
            answer={answer}
            plan={console.plan}
            view={state.view}
            chart={state.chart}
            title="query"
            schema={schema.data}
            open={open}
            onView={(view) => change({ view })}
            onChart={(update) => change({ chart: update(state.chart) })}
            onOpen={may.see ? setOpen : null}
          />
        ) : (
          !running && (
            <EmptyState title={problem?.code === 'ABORTED' ? 'Canceled' : 'No results yet'}>
              Ctrl Enter runs the query. It can read only, and ends after the time that the service allows.
            </EmptyState>
          )
        )}
      </div>
      {open && schema.data && (
        <EntityPanel
          key={`${open.kind}:${open.id}`}
          target={open}
          schema={schema.data}
          tab={tab}
          onTab={setTab}
          onClose={() => setOpen(null)}
          onOpen={setOpen}
        />
      )}
      <Suspense>
        {saving && <SaveDialog content={{ cypher: state.cypher }} names={names} drafts={drafts} onClose={() => setSaving(false)} />}
      </Suspense>
    </div>
  );
}

/** What the service says of the text, also for screen readers: the editor marks only the places. */
function Remarks({ remarks }: { remarks: Remark[] }) {
  if (remarks.length === 0) return null;
  return (
    <ul className="remarks" aria-label="Remarks on the query" aria-live="polite">
      {remarks.map(({ severity, line, column, message }, index) => (
        <li key={index} data-severity={severity}>
          {severity === 'error' ? 'Error' : 'Warning'}
          {line > 0 && ` in line ${line}, column ${column}`}: {escapeInvisible(message)}
        </li>
      ))}
    </ul>
  );
}

interface BarProps {
  console: ReturnType<typeof useConsole>;
  /** Null if the user may not save queries. */
  onSave: (() => void) | null;
}

function Bar({ console: { state, change, running, start, cancel, history, clearHistory }, onSave }: BarProps) {
  const isEmpty = state.cypher.trim() === '';
  return (
    <div className="console-bar" role="toolbar" aria-label="Query">
      <h1>Console</h1>
      {running ? (
        <Button size="xs" color="red" variant="light" leftSection={<Square size={13} aria-hidden />} onClick={cancel}>
          Cancel
        </Button>
      ) : (
        <Button size="xs" leftSection={<Play size={14} aria-hidden />} disabled={isEmpty} onClick={start}>
          Run
        </Button>
      )}
      <Button size="xs" variant="default" disabled={isEmpty} onClick={() => change({ view: 'plan' })}>
        Explain
      </Button>
      {onSave && (
        <Button size="xs" variant="default" leftSection={<Save size={14} aria-hidden />} disabled={isEmpty} onClick={onSave}>
          Save as endpoint
        </Button>
      )}
      <span className="spacer" />
      <HistoryMenu history={history} onChoose={({ cypher, drafts }) => change({ cypher, drafts })} onClear={clearHistory} />
      <Tooltip label="Copy link: it has the text and the parameters">
        <ActionIcon size="lg" aria-label="Copy link" disabled={isEmpty} onClick={() => void copyText(location.href, 'Link')}>
          <LinkIcon size={17} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

interface HistoryProps {
  history: RanQuery[];
  onChoose: (query: RanQuery) => void;
  onClear: () => void;
}

function HistoryMenu({ history, onChoose, onClear }: HistoryProps) {
  return (
    <Menu position="bottom-end" width={420}>
      <Tooltip label="Your last queries, kept in this browser">
        <Menu.Target>
          <ActionIcon size="lg" aria-label="Your last queries">
            <History size={17} />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown mah={420} style={{ overflow: 'auto' }}>
        {history.length === 0 && <Menu.Item disabled>You have run no query in this browser</Menu.Item>}
        {history.map((ran) => (
          <Menu.Item key={ran.cypher} onClick={() => onChoose(ran)}>
            <span className="mono history-text">{escapeInvisible(ran.cypher)}</span>
            <Text size="xs" c="dimmed">
              {formatTime(ran.at)}
            </Text>
          </Menu.Item>
        ))}
        {history.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={onClear}>Clear the list</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
