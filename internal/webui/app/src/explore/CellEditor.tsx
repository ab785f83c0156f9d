// Edits one property of a row in the table.
import { Button, Group, Loader, Popover, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { getEntity, type Entity, type PropertyChanges, type PropertyUse, type Schema } from '../api/graph';
import { asProblem } from '../api/problem';
import { findProposed, useProposal } from '../changesets/proposal';
import { changedProperties } from '../changesets/operations';
import { declarationsOnChange } from '../declared/check';
import { declaredFields } from '../declared/fields';
import { ConflictDialog } from '../entity/ConflictDialog';
import { assignProblem, checkForm, editFields, fieldsOf, newField, offeredFields, parseForm, type Field } from '../entity/form';
import { proposeChange } from '../entity/proposeChange';
import { useSave } from '../entity/useSave';
import { notify } from '../shell/notify';
import { KindSelect, ValueInput } from '../values/ValueInput';
import { captionOf, escapeInvisible } from '../values/text';
import type { Value } from '../values/value';
import { useControlFocus, useKeptDraft } from './cellDraft';
import { applyUpdate, type Row } from './lists';
import type { View } from './url';

interface Props {
  row: Row;
  property: string;
  /** The property in the schema. */
  use: PropertyUse | undefined;
  view: View;
  schema: Schema;
  /** The place of the cell in the rows. */
  place: { top: number; left: number; width: number; height: number };
  /** Whether something was entered or removed, which must not be lost. */
  hasDraft: boolean;
  onChanged: () => void;
  /** Another number puts the focus into the editor. */
  focusRequests: number;
  onClose: () => void;
}

// Below dialogs, such as that of a conflict.
const zIndex = 190;

export default function CellEditor({ row, property, use, view, schema, place, hasDraft, onChanged, focusRequests, onClose }: Props) {
  const { kind } = view;
  // The list has no ETags, and maybe not all properties.
  const query = useQuery({
    queryKey: ['entity', kind, row.id],
    queryFn: ({ signal }) => getEntity(kind, row.id, signal),
    staleTime: 0,
    refetchOnMount: 'always',
  });
  // What was read first stays the base of the draft: a later change by others is a conflict when it is saved.
  const [base, setBase] = useState<Entity | null>(null);
  if (base === null && query.data && query.isFetchedAfterMount && !query.isError) setBase(query.data);
  const cell = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // An editor whose cell has been scrolled out of the table is hidden.
    if (focusRequests > 0) cell.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [focusRequests]);
  useWindowEvent('beforeunload', (event) => {
    if (hasDraft) event.preventDefault();
  });
  // The form, as soon as it is there, handles Escape: the popover would also close at one that is meant for the dialog of a conflict or a
  // list in the form.
  return (
    <Popover
      opened
      onChange={(open) => !open && onClose()}
      closeOnClickOutside={!hasDraft}
      closeOnEscape={base === null}
      withRoles={false}
      trapFocus
      position="bottom-start"
      offset={-place.height}
      width={Math.max(300, place.width)}
      shadow="md"
      zIndex={zIndex}
    >
      <Popover.Target>
        <div ref={cell} style={{ position: 'absolute', ...place, pointerEvents: 'none' }} />
      </Popover.Target>
      <Popover.Dropdown
        role="dialog"
        aria-label={`Edit ${escapeInvisible(property)}`}
        p="xs"
        onClick={(e) => e.stopPropagation()}
        onKeyDown={(e) => e.stopPropagation()}
      >
        {base ? (
          <CellForm
            entity={base}
            property={property}
            use={use}
            schema={schema}
            hasDraft={hasDraft}
            onChanged={onChanged}
            focusRequests={focusRequests}
            onClose={onClose}
          />
        ) : query.isError ? (
          <Text size="sm" c="red" role="alert">
            {asProblem(query.error).text}
          </Text>
        ) : (
          <Loader size={16} />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

interface FormProps {
  entity: Entity;
  property: string;
  use: PropertyUse | undefined;
  schema: Schema;
  hasDraft: boolean;
  onChanged: () => void;
  focusRequests: number;
  onClose: () => void;
}

/** The draft of one property, and what is done with it. */
function useCellForm({ entity: read, property, use, schema, hasDraft, onChanged, focusRequests, onClose }: FormProps) {
  const { active: proposing, items } = useProposal();
  const [base, setBase] = useState(read);
  const { kind, entity } = base;
  const earlier = proposing ? findProposed(items, kind, entity.id) : undefined;
  const proposed = earlier ? changedProperties(earlier.operation) : {};
  const declarations = declarationsOnChange(schema, kind, kind === 'node' ? entity.labels : [entity.type], entity.properties);
  const rule = declaredFields(declarations).find((field) => field.name === property);
  const [field, setField] = useState(() =>
    fieldOf(base, property, use, rule, Object.hasOwn(proposed, property) ? proposed[property] : undefined),
  );
  const name = kind === 'node' ? captionOf(entity.properties, entity.id) : escapeInvisible(entity.type);
  const [isRemoving, setRemoving] = useState(false);
  const finishDraft = useKeptDraft(() => {
    const draft = { ...field, removed: isRemoving };
    const { count, errors } = parseForm([draft], entity.properties);
    return hasDraft && count + errors.size > 0 ? { edit: { from: base, fields: editFields(schema, base, proposed), name }, draft } : null;
  });
  function close() {
    finishDraft();
    onClose();
  }
  const { busy, problem, setProblem, conflict, setConflict, save } = useSave(name, close);
  const input = useControlFocus(!busy && conflict === null, focusRequests);
  const others = fieldsOf(entity.properties).filter((other) => other.name !== property);
  const parsed = parseForm([...others, field], entity.properties);
  const violations = checkForm(
    [field],
    parsed.values,
    declarations.filter((d) => d.level === 'strict'),
  );
  const error = problem
    ? (assignProblem([field], problem).get(field.key) ?? problem.text)
    : (parsed.errors.get(field.key) ?? violations.errors.get(field.key));
  const blocked = problem === null && error !== undefined;

  function update(next: Field) {
    setProblem(null);
    setField(next);
    setRemoving(false);
    onChanged();
  }
  function remove() {
    setRemoving(true);
    onChanged(); // until it is saved, it is a draft as well
    submit({ [property]: null });
  }
  function submit(change: PropertyChanges = isRemoving ? { [property]: null } : parsed.change) {
    if (busy) return;
    if (Object.keys(change).length === 0 && !earlier) return close();
    if (!proposing) return void save(base, change);
    const { [property]: _, ...kept } = proposed;
    proposeChange(base, { ...kept, ...change }, name);
    notify(name, 'Collected');
    close();
  }
  function handleKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing && isMeantFor(event) && !busy) return close();
    const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || !isField) return;
    event.preventDefault();
    if (!blocked) submit();
  }
  /** Saves the change again, based on what the others saved. */
  function keepMine({ theirs, change }: NonNullable<typeof conflict>) {
    setConflict(null);
    setBase(theirs);
    void save(theirs, change);
  }

  return {
    base,
    field,
    rule,
    proposing,
    error,
    blocked,
    busy,
    input,
    conflict,
    dismissConflict: () => setConflict(null),
    keepMine,
    close,
    update,
    remove,
    submit,
    handleKeyDown,
  };
}

function CellForm({ entity, property, use, schema, hasDraft, onChanged, focusRequests, onClose }: FormProps) {
  const queries = useQueryClient();
  const form = useCellForm({ entity, property, use, schema, hasDraft, onChanged, focusRequests, onClose });
  const { base, field, rule, proposing, error, blocked, busy, conflict, close, update, submit } = form;
  const { properties } = base.entity;

  return (
    <form
      onKeyDown={form.handleKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (!blocked) submit();
      }}
    >
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Text size="xs" fw={600} truncate>
          {escapeInvisible(property)}
        </Text>
        <KindSelect draft={field.draft} name={property} allowed={rule?.types ?? []} onChange={(draft) => update({ ...field, draft })} />
      </Group>
      <div ref={form.input}>
        <ValueInput
          draft={field.draft}
          name={property}
          error={error}
          choices={rule?.choices}
          required={rule?.required ?? false}
          focusesPoint
          onChange={(draft) => update({ ...field, draft, offered: false })}
        />
      </div>
      <Group justify="flex-end" gap={6} mt={6}>
        {Object.hasOwn(properties, property) && !rule?.required && (
          <Button size="compact-xs" variant="subtle" color="gray" disabled={busy} onClick={form.remove}>
            Remove
          </Button>
        )}
        <Button size="compact-xs" variant="default" disabled={busy} onClick={close}>
          Cancel
        </Button>
        <Button size="compact-xs" type="submit" loading={busy} disabled={blocked}>
          {proposing ? 'Propose' : 'Save'}
        </Button>
      </Group>
      {conflict && (
        <ConflictDialog
          before={properties}
          mine={conflict.change}
          theirs={conflict.theirs}
          onClose={form.dismissConflict}
          onUseTheirs={() => {
            applyUpdate(queries, conflict.theirs);
            close();
          }}
          onKeepMine={() => form.keepMine(conflict)}
        />
      )}
    </form>
  );
}

/** Whether a key is meant for the form itself, and not for a dialog above it or an open list in it, which Mantine marks. */
function isMeantFor({ currentTarget: form, target }: KeyboardEvent): boolean {
  return target instanceof Element && form.contains(target) && target.getAttribute('data-mantine-stop-propagation') !== 'true';
}

/** The field of a property: what is proposed, else its value, else an empty one of the type that other entities have. */
function fieldOf(
  { entity }: Entity,
  property: string,
  use: PropertyUse | undefined,
  rule: ReturnType<typeof declaredFields>[number] | undefined,
  proposed: Value | null | undefined,
): Field {
  const value = proposed ?? (Object.hasOwn(entity.properties, property) ? entity.properties[property] : undefined);
  if (value !== undefined) return fieldsOf({ [property]: value })[0]!;
  return rule ? offeredFields([rule], use ? [use] : [])[0]! : { ...newField(property, use), offered: true };
}
