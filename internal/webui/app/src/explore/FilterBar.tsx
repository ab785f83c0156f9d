import { Autocomplete, Button, Group, NativeSelect, Pill, Popover, Stack } from '@mantine/core';
import { ListFilter } from 'lucide-react';
import { Fragment, useState, type FormEvent } from 'react';
import type { PropertyUse } from '../api/graph';
import type { Listed } from '../charts/aggregate';
import type { End } from '../entity/ends';
import { parseDraft } from '../values/draft';
import { escapeInvisible } from '../values/text';
import type { Scalar } from '../values/value';
import { OperatorSelect, ValueField } from './ConditionFields';
import { parseName } from './endNames';
import {
  filterOptions,
  formatCondition,
  parseValues,
  placesFor,
  replaceCondition,
  serializeValues,
  splitAlternatives,
  comparesWithList,
  comparesWithPart,
  type Condition,
  type Operator,
  type Place,
} from './filters';
import { ValuesField } from './ValuesField';

interface Props {
  conditions: Condition[];
  /** The properties of the list, by their names in filters. */
  known: PropertyUse[];
  /** Whether names may be those of the ends of edges. */
  ofEdges: boolean;
  /** The list without these conditions, whose frequent values are offered. */
  listed?: Listed | undefined;
  /** Receives what is done with the conditions of the address, which may be others than those that were rendered. */
  onChange: (update: (now: Condition[]) => Condition[]) => void;
}

/** The filters of a list, each with a form to edit it and a remove button, and a form to add one. */
export function FilterBar({ conditions, known, ofEdges, listed, onChange }: Props) {
  const [open, setOpen] = useState(false);
  const { always, alternatives } = splitAlternatives(conditions);
  const chip = (c: Condition, index: number) => (
    <FilterChip
      key={`${index} ${formatCondition(c)}`}
      condition={c}
      known={known}
      ofEdges={ofEdges}
      listed={listed}
      onChange={(next) => onChange((now) => replaceCondition(now, conditions, c, next))}
      onRemove={() => onChange((now) => replaceCondition(now, conditions, c))}
    />
  );
  return (
    <>
      {always.map(chip)}
      {alternatives.length > 0 && (
        <span className="alternatives" role="group" aria-label="One of these holds">
          {alternatives.map((some, i) => (
            <Fragment key={i}>
              {i > 0 && <span className="join">or</span>}
              {some.map((c, at) => (
                <Fragment key={at}>
                  {at > 0 && <span className="join">and</span>}
                  {chip(c, at)}
                </Fragment>
              ))}
            </Fragment>
          ))}
        </span>
      )}
      <Popover opened={open} onChange={setOpen} {...inWindow} position="bottom-end" shadow="md" trapFocus returnFocus width={290}>
        <Popover.Target>
          <Button
            size="xs"
            variant="default"
            className="brief"
            title="Filter"
            leftSection={<ListFilter size={14} />}
            onClick={() => setOpen(!open)}
          >
            Filter
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          {open && (
            <FilterForm
              known={known}
              ofEdges={ofEdges}
              listed={listed}
              places={placesFor(conditions)}
              onApply={(condition, place) => {
                setOpen(false);
                onChange((now) => place!.add(now, condition));
              }}
            />
          )}
        </Popover.Dropdown>
      </Popover>
    </>
  );
}

function FilterChip({
  condition,
  known,
  ofEdges,
  listed,
  onChange,
  onRemove,
}: {
  condition: Condition;
  known: PropertyUse[];
  ofEdges: boolean;
  listed: Listed | undefined;
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}) {
  const [open, setOpen] = useState(false);
  const text = escapeInvisible(formatCondition(condition));
  return (
    <Popover opened={open} onChange={setOpen} {...inWindow} position="bottom" shadow="md" trapFocus returnFocus width={290}>
      <Pill
        withRemoveButton
        size="md"
        onRemove={onRemove}
        removeButtonProps={{ 'aria-label': `Remove filter ${formatCondition(condition)}`, 'aria-hidden': false, tabIndex: 0 }}
        style={{ maxWidth: 280 }}
      >
        <Popover.Target>
          <button type="button" className="chip" aria-label={`Edit filter ${text}`} title="Edit the filter" onClick={() => setOpen(!open)}>
            {text}
          </button>
        </Popover.Target>
      </Pill>
      <Popover.Dropdown>
        {open && (
          <FilterForm
            known={known}
            ofEdges={ofEdges}
            listed={listed}
            initial={condition}
            onApply={(next) => {
              setOpen(false);
              onChange(condition.any ? { ...next, any: condition.any } : next);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function initialText(condition: Condition | undefined): string {
  return condition === undefined || comparesWithList(condition.operator) ? '' : condition.text;
}

/** The choices of the form. Properties of edges and of their ends stand in groups. */
function choicesOf(names: string[], ofEdges: boolean) {
  const choices = (some: string[]) => some.map((name) => ({ value: name, label: escapeInvisible(name) }));
  if (!ofEdges || names.every((name) => parseName(name).end === null)) return choices(names);
  const at = (end: End | null) => names.filter((name) => parseName(name).end === end);
  return [
    { group: 'Edge', items: choices(at(null)) },
    { group: 'Source', items: choices(at('source')) },
    { group: 'Target', items: choices(at('target')) },
  ].filter(({ items }) => items.length > 0);
}

// In a low window the form covers its button, so that all of it can be reached.
const inWindow = { middlewares: { flip: true, shift: { crossAxis: true, padding: 8 } } };

interface FormProps {
  known: PropertyUse[];
  ofEdges: boolean;
  listed: Listed | undefined;
  /** The condition to edit; a new one if it is missing. */
  initial?: Condition;
  /** Where a new condition can be added, the usual place first. */
  places?: Place[];
  onApply: (condition: Condition, place: Place | undefined) => void;
}

function FilterForm({ known, ofEdges, listed, initial, places = [], onApply }: FormProps) {
  const [place, setPlace] = useState(0);
  const [property, setProperty] = useState(initial?.property ?? known[0]?.name ?? '');
  const [operator, setOperator] = useState<Operator | null>(initial?.operator ?? null);
  const [text, setText] = useState(initialText(initial));
  const [values, setValues] = useState<Scalar[]>(initial && comparesWithList(initial.operator) ? parseValues(initial.text) : []);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState('');
  const use = known.find((each) => each.name === property);
  const own = parseName(property);
  const options = filterOptions(use);
  const isInitial = initial !== undefined && initial.property === property;
  // A condition of the address may compare with a type that the property does not have.
  const operators =
    isInitial && !options.operators.includes(initial.operator) ? [initial.operator, ...options.operators] : options.operators;
  const kind = isInitial && initial.kind !== null && operator === initial.operator ? initial.kind : options.kind;
  const selected = operator !== null && operators.includes(operator) ? operator : operators[0]!;
  const isList = comparesWithList(selected);
  const value = selected === 'exists' || kind === 'Boolean' ? (text === 'false' ? 'false' : 'true') : text;
  const names = isInitial && use === undefined ? [property, ...known.map((each) => each.name)] : known.map((each) => each.name);

  const edit =
    <T,>(set: (value: T) => void) =>
    (next: T) => {
      set(next);
      setError('');
    };

  function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (property === '') return setError('Choose a property');
    if (isList) {
      if (pending) return setError('Add the value, or clear it');
      if (values.length === 0) return setError('Add a value');
      return onApply({ property, operator: selected, kind: null, text: serializeValues(values) }, places[place]);
    }
    if (comparesWithPart(selected) && text === '') return setError('Write a text');
    if (selected !== 'exists' && kind !== null) {
      const parsed = parseDraft({ kind, list: false, texts: [value] });
      if ('error' in parsed) return setError(parsed.error);
    }
    onApply({ property, operator: selected, kind: selected === 'exists' ? null : kind, text: value }, places[place]);
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        {known.length > 0 ? (
          <NativeSelect
            size="xs"
            label="Property"
            data={choicesOf(names, ofEdges)}
            value={property}
            onChange={(e) => {
              setProperty(e.currentTarget.value);
              setError('');
              setValues([]);
            }}
            data-autofocus={initial === undefined ? true : undefined}
          />
        ) : (
          <Autocomplete size="xs" label="Property" value={property} onChange={setProperty} data-autofocus />
        )}
        <OperatorSelect label="Condition" operators={operators} value={selected} onChange={edit(setOperator)} />
        {isList ? (
          <ValuesField kind={options.kind} values={values} error={error} onChange={edit(setValues)} onPending={setPending} />
        ) : (
          <ValueField
            label="Value"
            operator={selected}
            of={listed && use && own.end === null ? { listed, property: own.property } : undefined}
            kind={kind ?? 'String'}
            value={value}
            error={error}
            onChange={edit(setText)}
          />
        )}
        <PlaceSelect places={places} value={place} onChange={setPlace} />
        <Group justify="flex-end">
          <Button size="xs" type="submit">
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function PlaceSelect({ places, value, onChange }: { places: Place[]; value: number; onChange: (place: number) => void }) {
  if (places.length < 2) return null;
  return (
    <NativeSelect
      size="xs"
      label="Joined by"
      data={places.map(({ label }, i) => ({ value: String(i), label: escapeInvisible(label) }))}
      value={String(value)}
      onChange={(e) => onChange(Number(e.currentTarget.value))}
    />
  );
}
