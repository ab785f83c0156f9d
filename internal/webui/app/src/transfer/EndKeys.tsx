import { Group, NativeSelect } from '@mantine/core';
import type { Schema } from '../api/graph';
import { propertiesOf } from '../explore/columns';
import { escapeInvisible } from '../values/text';
import { byId, type Mapping } from './mapping';

const titles = { source: 'Source', target: 'Target' } as const;

/** How the nodes at both ends of the edges are found. */
export function EndKeys({ mapping, schema, onChange }: { mapping: Mapping; schema: Schema; onChange: (mapping: Mapping) => void }) {
  return (
    <Group gap="lg" align="flex-end">
      {(['source', 'target'] as const).map((end) => {
        const key = mapping.ends[end];
        const change = (next: typeof key) => onChange({ ...mapping, ends: { ...mapping.ends, [end]: next } });
        return (
          <Group key={end} gap={6} align="flex-end">
            <NativeSelect
              size="xs"
              label={`${titles[end]} is found by`}
              value={key.type}
              data={[
                { value: '', label: 'ID' },
                ...schema.node_types.map((t) => ({ value: t.type, label: `${escapeInvisible(t.type)} with` })),
              ]}
              onChange={(e) => change(e.currentTarget.value === '' ? byId : { type: e.currentTarget.value, property: '' })}
            />
            {key.type !== '' && (
              <NativeSelect
                size="xs"
                aria-label={`Property of the ${end}`}
                value={key.property}
                data={['', ...propertiesOf(schema, 'node', key.type).map(({ name }) => ({ value: name, label: escapeInvisible(name) }))]}
                onChange={(e) => change({ ...key, property: e.currentTarget.value })}
              />
            )}
          </Group>
        );
      })}
    </Group>
  );
}

interface ExistingProps {
  mapping: Mapping;
  schema: Schema;
  onChange: (mapping: Mapping) => void;
}

/** How rows find entities that exist, whose properties they then set. */
export function ExistingKey({ mapping: { existing, ...mapping }, schema, onChange }: ExistingProps) {
  const known = new Set(mapping.kind === 'node' ? propertiesOf(schema, 'node', mapping.type).map((p) => p.name) : []);
  const properties = mapping.columns.filter((c) => c.use === 'property' && known.has(c.property)).map((c) => c.property);
  const hasIds = mapping.columns.some((c) => c.use === 'id');
  const isChosenGone = existing !== undefined && (existing === '' ? !hasIds : !properties.includes(existing));
  if (properties.length === 0 && !hasIds && !isChosenGone) return null;
  const option = (property: string) => ({ value: `p ${property}`, label: escapeInvisible(property) });
  return (
    <NativeSelect
      maw={320}
      label={mapping.kind === 'node' ? 'Rows change nodes with the same' : 'Rows change edges with the same'}
      description={existing === undefined ? undefined : 'Sets the properties that the row has; other rows are new'}
      value={existing === undefined ? '' : existing === '' ? 'id' : `p ${existing}`}
      data={[
        { value: '', label: 'None: all rows are new' },
        ...(hasIds || existing === '' ? [{ value: 'id', label: 'ID' }] : []),
        ...properties.map(option),
        ...(existing && isChosenGone ? [option(existing)] : []),
      ]}
      onChange={({ currentTarget: { value } }) =>
        onChange(value === '' ? mapping : { ...mapping, existing: value.replace(/^(id$|p )/, '') })
      }
    />
  );
}
