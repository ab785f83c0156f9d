// One saved query: the form of its parameters, and what it returns.
import { Autocomplete, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Play, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Schema } from '../api/graph';
import { EntityPanel } from '../entity/EntityPanel';
import { schemaField } from '../declared/fields';
import type { EntityRef, PanelTab } from '../explore/url';
import { usePermissions } from '../session/session';
import { useSubmit } from '../shell/Form';
import { ProblemText } from '../shell/ProblemText';
import { draftOf, emptyDraft, type Draft } from '../values/draft';
import { escapeInvisible } from '../values/text';
import { KindSelect, ValueInput } from '../values/ValueInput';
import { cellText, type Answer, type ChartSpec } from './answer';
import type { ResultView } from './link';
import { draftFor, parseParameters, type Drafts } from './parameters';
import { runSaved, type ParameterSchema, type SavedQuery } from './queries';
import { Results } from './Results';

/** What is entered at first: the defaults, in fields of the declared types. */
function firstDrafts(parameters: SavedQuery['parameters']): Drafts {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, schema]) => {
      const type = schemaField(name, schema).types[0] ?? { kind: 'String' as const, list: false };
      return [name, schema.default === undefined ? emptyDraft(type.kind, type.list) : draftOf(schema.default)];
    }),
  );
}

export function QueryForm({ query, schema }: { query: SavedQuery; schema: Schema | undefined }) {
  const may = usePermissions();
  const names = Object.keys(query.parameters).filter((name) => query.parameters[name]!.from === undefined);
  const [drafts, setDrafts] = useState(() => firstDrafts(query.parameters));
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [view, setView] = useState<ResultView>('table');
  const [chart, setChart] = useState<ChartSpec | null>(null);
  const [open, setOpen] = useState<EntityRef | null>(null);
  const [tab, setTab] = useState<PanelTab>('properties');
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const { values, errors } = parseParameters(names, drafts);
  const { problem, busy, submit } = useSubmit(async () => {
    if (Object.keys(errors).length > 0) return;
    controller.current = new AbortController();
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
    setAnswer(await runSaved(query.name, given, controller.current.signal));
  });
  const fieldOf = (name: string) => problem?.details.find(({ field }) => field === name || field === `parameters.${name}`)?.message;
  return (
    <div className="console">
      <div className="console-main">
        <form onSubmit={submit} aria-label={query.name} className="query-form">
          <h2>{query.name}</h2>
          {query.description && <Text size="sm">{escapeInvisible(query.description)}</Text>}
          {names.map((name) => (
            <ParameterField
              key={name}
              name={name}
              schema={query.parameters[name]!}
              draft={draftFor(drafts, name)}
              error={errors[name] ?? fieldOf(name)}
              onChange={(draft) => setDrafts((now) => ({ ...now, [name]: draft }))}
            />
          ))}
          {busy ? (
            <Button size="xs" color="red" variant="light" leftSection={<Square size={13} />} onClick={() => controller.current?.abort()}>
              Cancel
            </Button>
          ) : (
            <Button size="xs" type="submit" leftSection={<Play size={14} aria-hidden />}>
              Run
            </Button>
          )}
        </form>
        {problem && problem.code !== 'ABORTED' && (
          <div className="console-problem" role="alert">
            <ProblemText error={problem} />
          </div>
        )}
        {answer && (
          <Results
            answer={answer}
            view={view}
            chart={chart}
            title={query.name}
            schema={schema}
            open={open}
            onView={setView}
            onChart={setChart}
            onOpen={may.see ? setOpen : null}
          />
        )}
      </div>
      {open && schema && (
        <EntityPanel
          key={`${open.kind}:${open.id}`}
          target={open}
          schema={schema}
          tab={tab}
          onTab={setTab}
          onClose={() => setOpen(null)}
          onOpen={setOpen}
        />
      )}
    </div>
  );
}

interface FieldProps {
  name: string;
  schema: ParameterSchema;
  draft: Draft;
  error: string | undefined;
  onChange: (draft: Draft) => void;
}

function ParameterField({ name, schema, draft, error, onChange }: FieldProps) {
  const field = schemaField(name, schema);
  return (
    <div className="parameter">
      <Text size="sm" className="parameter-name">
        {escapeInvisible(name)}
        {field.hint && <small>{escapeInvisible(field.hint)}</small>}
      </Text>
      {field.types.length === 1 ? null : <KindSelect name={name} draft={draft} allowed={field.types} onChange={onChange} />}
      <div className="parameter-value">
        {schema.choices && !draft.list ? (
          <ChoiceField query={schema.choices} name={name} draft={draft} error={error} onChange={onChange} />
        ) : (
          <ValueInput name={name} draft={draft} error={error} choices={field.choices} onChange={onChange} />
        )}
      </div>
    </div>
  );
}

interface ChoiceProps extends Omit<FieldProps, 'schema'> {
  query: string;
}

/** Offers the first column of another query; another value is accepted too. */
function ChoiceField({ query, name, draft, error, onChange }: ChoiceProps) {
  const choices = useQuery({
    queryKey: ['query-choices', query],
    queryFn: ({ signal }) => runSaved(query, {}, signal),
  });
  const texts = [...new Set(choices.data?.rows.map((row) => cellText(row[0], new Map())).filter((text) => text !== ''))];
  return (
    <Autocomplete
      size="xs"
      aria-label={`Value of ${name}`}
      data={texts}
      limit={50}
      value={draft.texts[0] ?? ''}
      error={error ?? (choices.isError ? 'The choices could not be loaded' : undefined)}
      onChange={(text) => onChange({ ...draft, texts: [text] })}
    />
  );
}
