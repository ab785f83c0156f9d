import { ActionIcon, Autocomplete, Checkbox, Group, NativeSelect, TagsInput, Text, Tooltip } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import type { EntityKind, Schema } from '../api/graph';
import { filterableProperties } from '../explore/columns';
import { allActions, type GrantDraft, type GrantErrors } from './grants';
import { WhereEditor } from './WhereEditor';

interface Props {
  grant: GrantDraft;
  number: number;
  schema: Schema;
  errors: GrantErrors | undefined;
  onChange: (grant: GrantDraft) => void;
  onRemove: () => void;
}

/** One grant of a role. Types and properties are suggested from the schema; others may be entered, since rules may come before the data. */
export function GrantEditor({ grant, number, schema, errors, onChange, onRemove }: Props) {
  const change = (part: Partial<GrantDraft>) => onChange({ ...grant, ...part });
  const types = (grant.kind === 'node' ? schema.node_types : schema.edge_types).map((each) => each.type);
  const known = filterableProperties(schema, grant.kind, grant.type === '*' ? null : grant.type);
  const properties = known.map((use) => use.name);
  return (
    <section className="grant" aria-label={`Grant ${number}`}>
      <div className="grant-head">
        <NativeSelect
          size="xs"
          w={90}
          label="Kind"
          data={[
            { value: 'node', label: 'Nodes' },
            { value: 'edge', label: 'Edges' },
          ]}
          value={grant.kind}
          onChange={(e) => change({ kind: e.currentTarget.value as EntityKind })}
        />
        <Autocomplete
          size="xs"
          w={190}
          label="Type (* for all)"
          data={['*', ...new Set(types)]}
          value={grant.type}
          onChange={(type) => change({ type })}
          error={errors?.type}
        />
        <Checkbox.Group
          size="xs"
          label="Actions"
          value={grant.actions}
          onChange={(actions) => change({ actions: allActions.filter((action) => actions.includes(action)) })}
          error={errors?.actions}
        >
          <Group gap="sm" mt={7} wrap="nowrap">
            {allActions.map((action) => (
              <Checkbox key={action} size="xs" value={action} label={action} />
            ))}
          </Group>
        </Checkbox.Group>
        <span className="spacer" />
        <Tooltip label="Remove grant">
          <ActionIcon aria-label={`Remove grant ${number}`} mt={22} onClick={onRemove}>
            <Trash2 size={16} />
          </ActionIcon>
        </Tooltip>
      </div>
      <h4 className="section-title">{grant.where.length > 0 ? 'Only if all of these are met' : 'For every entity of the type'}</h4>
      <WhereEditor rows={grant.where} known={known} errors={errors?.where ?? new Map()} onChange={(where) => change({ where })} />
      <div className="grant-properties">
        <TagsInput
          size="xs"
          label="Hidden properties"
          placeholder={grant.hidden.length === 0 ? 'None' : ''}
          data={properties}
          value={grant.hidden}
          onChange={(hidden) => change({ hidden })}
          splitChars={[]}
          acceptValueOnBlur
          error={errors?.hidden}
        />
        <TagsInput
          size="xs"
          label="Read-only properties"
          placeholder={grant.readOnly.length === 0 ? 'None' : ''}
          data={properties}
          value={grant.readOnly}
          onChange={(readOnly) => change({ readOnly })}
          splitChars={[]}
          acceptValueOnBlur
          error={errors?.readOnly}
        />
      </div>
      {errors?.other && (
        <Text size="xs" c="red" role="alert" mt={6}>
          {errors.other}
        </Text>
      )}
    </section>
  );
}
