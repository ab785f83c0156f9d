// A question over several hops, built by clicking; its answer is that of a query of the console.
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Save } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { onDemand } from '../api/onDemand';
import { getSchema, type Schema } from '../api/graph';
import { AddToCanvas } from '../canvas/AddToCanvas';
import { parseChart, type ResultView } from '../console/link';
import { Results } from '../console/Results';
import { CopyMenu } from '../copy/CopyMenu';
import { curl } from '../copy/curl';
import { EntityPanel } from '../entity/EntityPanel';
import { ColumnsMenu } from '../explore/ColumnsMenu';
import type { Column } from '../explore/columns';
import { useSharedStyles } from '../explore/typeStyles';
import { UnknownParameters } from '../explore/UnknownParameters';
import { useView, type ChangeView, type View } from '../explore/url';
import { useEscape } from '../explore/useEscape';
import { bodyText } from '../api/json';
import { usePermissions } from '../session/session';
import { ProblemText } from '../shell/ProblemText';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { Waiting } from '../shell/Waiting';
import { escapeInvisible } from '../values/text';
import PlacedCanvas from '../views/PlacedCanvas';
import ViewsMenu from '../views/ViewsMenu';
import { AskStart } from './AskStart';
import { ChainRow } from './ChainRow';
import { questionCypher } from './cypher';
import { withParameters } from './parameters';
import {
  isGrouped,
  drawnQuestion,
  namedParts,
  nextOrder,
  parseQuestion,
  questionBody,
  serializeQuestion,
  unreadParts,
  type ChangeQuestion,
  type Question,
} from './question';
import { referencesOf, SummaryMenu } from './SummaryMenu';
import { useAnswer } from './useAnswer';
import '../console/console.css';
import './ask.css';

const SaveDialog = onDemand(() => import('../console/SaveDialog'));

export default function AskPage() {
  useSharedStyles();
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema });
  const [view, change] = useView();
  useEscape(view.open !== null, () => change({ open: null }));
  if (schema.isPending) return <Loading subject="the types" />;
  if (schema.isLoadingError) return <LoadError error={schema.error} subject="the types" retry={() => void schema.refetch()} />;
  return (
    <div className="console">
      <section className="console-main" aria-label="Question" id="content" tabIndex={-1}>
        <AskPane schema={schema.data} view={view} change={change} />
      </section>
      {view.open && (
        <EntityPanel
          key={`${view.open.kind}:${view.open.id}`}
          target={view.open}
          schema={schema.data}
          tab={view.tab}
          onTab={(tab) => change({ tab })}
          onClose={() => change({ open: null })}
          onOpen={(open) => change({ open })}
        />
      )}
    </div>
  );
}

interface PaneProps {
  schema: Schema;
  view: View;
  change: ChangeView;
}

function AskPane({ schema, view, change }: PaneProps) {
  const question = useMemo(() => parseQuestion(view.question), [view.question]);
  const start = (next: Question) => change({ question: serializeQuestion(next), steps: '' });
  const set: ChangeQuestion = (update) =>
    change((now) => {
      const current = parseQuestion(now.question);
      return current ? { question: serializeQuestion(update(current)), steps: '' } : {};
    });
  const clear = () => change({ question: '', steps: '', chart: '', view: 'table', saved: '', open: null });
  return (
    <>
      <UnknownParameters />
      <UnreadParts text={view.question} />
      <AskBar question={question} schema={schema} view={view} change={change} onChange={set} onClear={clear} />
      {question ? (
        <>
          <div className="ask-editor">
            {(['match', 'without'] as const).flatMap((of) =>
              question[of].map((_, index) => (
                <ChainRow key={`${of} ${index}`} question={question} place={{ of, index }} schema={schema} onChange={set} onClear={clear} />
              )),
            )}
          </div>
          <AnswerPane question={question} schema={schema} view={view} change={change} onChange={set} />
        </>
      ) : (
        <AskStart schema={schema} onStart={start} />
      )}
    </>
  );
}

/** Says which parts of the link were left out, so that nobody takes the answer for that of the whole question. */
function UnreadParts({ text }: { text: string }) {
  const unread = useMemo(() => unreadParts(text), [text]);
  if (unread.length === 0) return null;
  return (
    <div className="budget-bar" role="alert">
      The link has parts that are no part of a question; they are left out: {escapeInvisible(unread.join(', '))}
    </div>
  );
}

interface BarProps extends PaneProps {
  question: Question | null;
  onChange: ChangeQuestion;
  onClear: () => void;
}

const typesIn = (question: Question | null, kind: 'node' | 'edge') =>
  question ? namedParts(question).flatMap((part) => (part.kind === kind && part.type !== null ? [part.type] : [])) : [];

function AskBar({ question, schema, view, change, onChange, onClear }: BarProps) {
  const may = usePermissions();
  const [saving, setSaving] = useState(false);
  const grouped = question !== null && isGrouped(question);
  return (
    <div className="console-bar" role="toolbar" aria-label="Question">
      <h1>Ask</h1>
      {question && (
        <Button size="xs" variant="default" onClick={onClear}>
          New question
        </Button>
      )}
      <span className="spacer" />
      {question && (
        <>
          {!grouped && <AnswerColumns question={question} schema={schema} onChange={onChange} />}
          <SummaryMenu question={question} schema={schema} onChange={onChange} />
        </>
      )}
      <ViewsMenu view={view} change={change} typesOfRows={() => ({ node: typesIn(question, 'node'), edge: typesIn(question, 'edge') })} />
      {question && view.view === 'table' && <AddToCanvas addition={() => ({ question: serializeQuestion(question) })} />}
      {question && may.admin && (
        <Button size="xs" variant="default" leftSection={<Save size={14} aria-hidden />} onClick={() => setSaving(true)}>
          Save as endpoint
        </Button>
      )}
      {question && (
        <CopyMenu
          label="Copy this question as…"
          items={[
            { label: 'Link', text: () => location.href },
            { label: 'Cypher', text: () => questionCypher(question, schema.id_property) },
            { label: 'curl', text: () => curl({ method: 'POST', path: '/api/match', body: questionBody(question) }) },
          ]}
        />
      )}
      <Suspense>{saving && question && <SaveQuestion question={question} onClose={() => setSaving(false)} />}</Suspense>
    </div>
  );
}

/** Saves the question with its conditions as parameters, whose defaults are their values. */
function SaveQuestion({ question, onClose }: { question: Question; onClose: () => void }) {
  const { pattern, drafts } = withParameters(question);
  return <SaveDialog content={{ pattern }} names={Object.keys(drafts)} drafts={drafts} onClose={onClose} />;
}

const columnOf = (name: string): Column => ({ key: name, title: name, width: 0, number: false, text: () => undefined });

/** Chooses the columns of each part. */
function AnswerColumns({ question, schema, onChange }: { question: Question; schema: Schema; onChange: ChangeQuestion }) {
  const names = referencesOf(question, schema).map(({ name }) => name);
  const shown = question.columns ?? namedParts(question).map(({ name }) => name);
  const all = [...names, ...shown.filter((name) => !names.includes(name))].map(columnOf);
  return (
    <ColumnsMenu
      all={all}
      shown={shown.map((name) => all.find(({ key }) => key === name)!)}
      onChange={(columns) => onChange((now) => ({ ...now, columns }))}
    />
  );
}

function NotDrawn({ onLeaveOut }: { onLeaveOut: () => void }) {
  return (
    <EmptyState
      icon={CircleAlert}
      title="The graph is not drawn"
      action={
        <Button variant="default" onClick={onLeaveOut}>
          Ask without these parts
        </Button>
      }
    >
      It would show more than the link asks for, since parts of the link are not understood. Correct them in the link, or ask without them.
    </EmptyState>
  );
}

interface AnswerProps extends PaneProps {
  question: Question;
  onChange: ChangeQuestion;
}

/** What is shown: a chart, if the address has one, or what it says. */
const shownAs = (view: View): ResultView => (view.chart ? 'chart' : view.view === 'graph' ? 'graph' : 'table');

function AnswerPane({ question, schema, view, change, onChange }: AnswerProps) {
  const shown = shownAs(view);
  const asked = useMemo(() => (shown === 'graph' ? drawnQuestion(question) : question), [question, shown]);
  // As additions to a canvas: what is known in part only would be drawn as more than was asked for.
  const refused = useMemo(() => shown === 'graph' && unreadParts(view.question).length > 0, [view.question, shown]);
  const { answer, problem, running, cancel, more } = useAnswer(asked, shown, !refused);
  const results = (
    <Results
      answer={answer}
      refusal={refused ? <NotDrawn onLeaveOut={() => onChange((now) => now)} /> : undefined}
      view={shown}
      chart={parseChart(view.chart)}
      title="answer"
      schema={schema}
      open={view.open}
      onView={(next) => change(next === 'chart' ? { chart: '{}' } : { chart: '', view: next === 'graph' ? 'graph' : 'table' })}
      onChart={(update) => change((now) => ({ chart: bodyText(update(parseChart(now.chart))) }))}
      numbersHint="Choose Group above, and add a measure such as count: its column has numbers."
      onOpen={(open) => change({ open })}
      canvas={{ view, change }}
      order={{ keys: question.sort, onSort: (column) => onChange((now) => ({ ...now, sort: nextOrder(now.sort, column) })) }}
      more={more}
    />
  );
  return (
    <>
      {running && (
        <div className="ask-waiting">
          <Waiting subject="the answer" onCancel={cancel} />
        </div>
      )}
      {problem && problem.code !== 'ABORTED' && (
        <div className="console-problem" role="alert">
          <ProblemText error={problem} />
        </div>
      )}
      {shown === 'graph' ? <PlacedCanvas view={view}>{results}</PlacedCanvas> : results}
    </>
  );
}
