// What a query returned, as a table, a graph or a chart, and its export.
import { Button, Menu, SegmentedControl } from '@mantine/core';
import { Download } from 'lucide-react';
import { Suspense, useEffect, useRef, type ReactNode } from 'react';
import { onDemand } from '../api/onDemand';
import { emptySchema, type Schema } from '../api/graph';
import type { ChangeView, EntityRef, View } from '../explore/url';
import { EmptyState, Loading } from '../shell/States';
import { save } from '../transfer/save';
import { formatCount, pluralize } from '../values/text';
import { answerCsv, answerNdjson, type Answer, type ChartSpec } from './answer';
import type { ResultView } from './link';
import { PlanTree } from './PlanTree';
import type { Operator } from './queries';
import { ResultChart } from './ResultChart';
import { ResultTable, type TableOrder } from './ResultTable';

const ResultGraph = onDemand(() => import('./ResultGraph'));

interface Props {
  answer: Answer | null;
  /** What stands in place of an answer that is not asked for. */
  refusal?: ReactNode;
  /** The plan of the text, where one is shown. */
  plan?: Operator | null;
  view: ResultView;
  chart: ChartSpec | null;
  /** What the exported files are called. */
  title: string;
  schema: Schema | undefined;
  open: EntityRef | null;
  onView: (view: ResultView) => void;
  onChart: (update: (now: ChartSpec | null) => ChartSpec) => void;
  /** What to do for a chart where no column has numbers. */
  numbersHint?: string;
  /** Null if the user may not read entities. */
  onOpen: ((entity: EntityRef | null) => void) | null;
  /** The view that keeps the steps on the canvas, where an address has them. */
  canvas?: { view: View; change: ChangeView };
  /** The order of the rows, and what changes it; without it the table is not sorted by its heading. */
  order?: TableOrder;
  /** There are more rows than the answer has, which this loads. */
  more?: { loading: boolean; load: () => void } | null;
}

export function Results({ answer, refusal, plan, view, title, onView, more, ...shown }: Props) {
  const views: { value: ResultView; label: string }[] = [
    { value: 'table', label: 'Table' },
    { value: 'graph', label: 'Graph' },
    { value: 'chart', label: 'Chart' },
    ...(plan === undefined ? [] : [{ value: 'plan' as const, label: 'Plan' }]),
  ];
  const section = useRef<HTMLElement>(null);
  // On a low screen a graph would begin below the fold.
  useEffect(() => {
    if (view === 'graph') section.current?.scrollIntoView({ block: 'nearest' });
  }, [view, answer]);
  return (
    <section className="results" aria-label="Results" ref={section}>
      <div className="results-bar">
        <SegmentedControl
          size="xs"
          aria-label="Show the results as"
          data={views}
          value={view}
          onChange={(value) => onView(value as ResultView)}
        />
        <span role="status" className="results-status">
          {answer && statusText(answer)}
          {more && ', there are more'}
        </span>
        {more && (
          <Button size="compact-xs" variant="subtle" loading={more.loading} onClick={more.load}>
            Load more
          </Button>
        )}
        <span className="spacer" />
        {answer && answer.rows.length > 0 && <ExportMenu answer={answer} title={title} />}
      </div>
      <div className="results-body">
        {view === 'plan' && plan !== undefined ? (
          plan ? (
            <PlanTree plan={plan} rows={answer?.rows.length ?? null} />
          ) : (
            <EmptyState title="No plan">The plan is shown once the database understands the query.</EmptyState>
          )
        ) : (
          (refusal ?? (answer && <ResultBody answer={answer} view={view} {...shown} />))
        )}
      </div>
    </section>
  );
}

function statusText({ rows, truncated, elapsed }: Answer): string {
  const cut = truncated ? `, cut at the limit of ${truncated}` : '';
  return `${pluralize(rows.length, 'row')}${cut}, ${formatCount(Math.round(elapsed * 10) / 10)} ms`;
}

type BodyProps = Omit<Props, 'answer' | 'refusal' | 'plan' | 'title' | 'onView' | 'more'> & { answer: Answer };

function ResultBody({ answer, view, chart, schema, open, onChart, numbersHint, onOpen, canvas, order }: BodyProps) {
  if (answer.rows.length === 0) return <EmptyState title="No rows">The query found nothing.</EmptyState>;
  if (view === 'chart') return <ResultChart answer={answer} chart={chart} onChart={onChart} numbersHint={numbersHint} />;
  if (view !== 'graph') return <ResultTable answer={answer} onOpen={onOpen} order={order} />;
  if (answer.nodes.length === 0)
    return <EmptyState title="Nothing to draw">The rows have no nodes: return nodes, edges or paths.</EmptyState>;
  return (
    <Suspense fallback={<Loading subject="the canvas" />}>
      <ResultGraph answer={answer} schema={schema ?? emptySchema} open={open} onOpen={onOpen ?? (() => undefined)} canvas={canvas} />
    </Suspense>
  );
}

function ExportMenu({ answer, title }: { answer: Answer; title: string }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<Download size={14} aria-hidden />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => save(`${title}.csv`, 'text/csv;charset=utf-8', answerCsv(answer))}>CSV</Menu.Item>
        <Menu.Item onClick={() => save(`${title}.ndjson`, 'application/x-ndjson', answerNdjson(answer))}>NDJSON</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
