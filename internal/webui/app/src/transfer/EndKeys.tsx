import { Group, NativeSelect } from '@mantine/core';
import type { Schema } from '../api/graph';
import { propertiesOf } from '../explore/columns';
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
              data={[{ value: '', label: 'ID' }, ...schema.node_types.map((t) => ({ value: t.type, label: `${t.type} with` }))]}
              onChange={(e) => change(e.currentTarget.value === '' ? byId : { type: e.currentTarget.value, property: '' })}
            />
            {key.type !== '' && (
              <NativeSelect
                size="xs"
                aria-label={`Property of the ${end}`}
                value={key.property}
                data={['', ...propertiesOf(schema, 'node', key.type).map((p) => p.name)]}
                onChange={(e) => change({ ...key, property: e.currentTarget.value })}
              />
            )}
          </Group>
        );
      })}
    </Group>
  );
}
