import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { Entity, Schema } from '../api/graph';
import { findProposed, useProposal } from '../changesets/proposal';
import { declarationsOnChange } from '../declared/check';
import { declaredFields, isClosed } from '../declared/fields';
import { propertiesOf } from '../explore/columns';
import { applyUpdate } from '../explore/lists';
import { FormError, useErrorFocus } from '../shell/Form';
import { notify } from '../shell/notify';
import { pluralize } from '../values/text';
import { ConflictDialog } from './ConflictDialog';
import { assignProblem, checkForm, editFields, parseForm, type Field } from './form';
import { PropertyForm } from './PropertyForm';
import { proposeChange } from './proposeChange';
import { useSave } from './useSave';

const typesOf = ({ kind, entity }: Entity) => (kind === 'node' ? entity.labels : [entity.type]);

interface EditorProps {
  edit: { from: Entity; fields: Field[] };
  schema: Schema;
  name: string;
  /** Whether the first value gets the focus. */
  autoFocus: boolean;
  onFields: (fields: Field[]) => void;
  onDone: () => void;
  onReload: (from: Entity, fields: Field[]) => void;
}

/** Edits the properties of an entity. */
export function Editor({ edit, schema, name, autoFocus, onFields, onDone, onReload }: EditorProps) {
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const foot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (autoFocus) form.current?.querySelector<HTMLElement>('[aria-label^="Value of"]')?.focus();
  }, [autoFocus]);
  const { active: proposing, items } = useProposal();
  const { busy, problem, setProblem, conflict, setConflict, save } = useSave(name, onDone);
  useErrorFocus(foot, busy);
  const { kind, entity } = edit.from;
  const reading = parseForm(edit.fields, entity.properties);
  const declarations = useMemo(
    () => declarationsOnChange(schema, kind, typesOf(edit.from), entity.properties),
    [schema, kind, edit.from, entity.properties],
  );
  const declared = useMemo(() => declaredFields(declarations), [declarations]);
  const violations = checkForm(edit.fields, reading.values, declarations);
  // Whether a moderate declaration applies is up to the service: it depends on whether the entity was valid before.
  const refused = checkForm(
    edit.fields,
    reading.values,
    declarations.filter((d) => d.level === 'strict'),
  );
  const invalid = reading.errors.size > 0 || (reading.count > 0 && refused.errors.size + refused.others.length > 0);
  const errors = problem ? assignProblem(edit.fields, problem) : new Map([...violations.errors, ...reading.errors]);
  const unassigned = problem ? (errors.size === 0 ? problem.text : null) : violations.others.join('; ');
  const verb = proposing ? 'Propose' : 'Save';
  // Without a change, what was proposed for the entity before is discarded.
  const isChangeable = proposing && findProposed(items, kind, entity.id) !== undefined;

  function propose() {
    proposeChange(edit.from, reading.change, name);
    notify(name, reading.count > 0 ? 'Collected' : 'No longer proposed');
    onDone();
  }

  function takeTheirs(theirs: Entity) {
    applyUpdate(queries, theirs);
    setConflict(null);
    onReload(theirs, editFields(schema, theirs, {}));
  }

  return (
    <form
      ref={form}
      style={{ display: 'contents' }}
      onSubmit={(event) => {
        event.preventDefault();
        if (invalid) return;
        if (proposing) propose();
        else if (reading.count > 0) void save(edit.from, reading.change);
      }}
    >
      <div className="panel-body">
        <PropertyForm
          fields={edit.fields}
          errors={errors}
          known={propertiesOf(schema, kind, entity.type)}
          declared={declared}
          closed={isClosed(declarations)}
          onChange={(fields) => {
            setProblem(null);
            onFields(fields);
          }}
        />
      </div>
      <div className="panel-foot" ref={foot}>
        {unassigned && <FormError text={unassigned} />}
        <Button type="submit" loading={busy} disabled={(reading.count === 0 && !isChangeable) || invalid}>
          {reading.count > 0 ? `${verb} ${pluralize(reading.count, 'change')}` : verb}
        </Button>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
      </div>
      {conflict && (
        <ConflictDialog
          before={entity.properties}
          mine={conflict.change}
          theirs={conflict.theirs}
          onClose={() => setConflict(null)}
          onUseTheirs={() => takeTheirs(conflict.theirs)}
          onKeepMine={() => {
            const { theirs, change } = conflict;
            setConflict(null);
            void save(theirs, change);
          }}
        />
      )}
    </form>
  );
}
