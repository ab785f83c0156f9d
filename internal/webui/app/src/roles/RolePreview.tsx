import { Autocomplete, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { useSubmit } from '../shell/Form';
import { listUsers } from '../users/users';
import { escapeInvisible, formatCount } from '../values/text';
import type { Grant } from './grants';
import { previewRole, type PreviewedType, type RolePreview as Preview } from './roles';

interface Props {
  /** The grants as they are in the form; null while they are not complete. */
  grants: Grant[] | null;
  /** The same as text, by which changes are noticed. */
  text: string;
}

/** What the role in the form shows, saved or not: for each type how many nodes or edges of how many. */
export function RolePreview({ grants, text }: Props) {
  const users = useQuery({ queryKey: ['users'], queryFn: listUsers });
  const [user, setUser] = useState('');
  const [counted, setCounted] = useState<{ preview: Preview; text: string; user: string } | null>(null);
  const { problem, busy, run } = useSubmit(count);
  async function count() {
    setCounted(null);
    if (grants) setCounted({ preview: await previewRole(grants, user.trim()), text, user: user.trim() });
  }
  const isCurrent = counted?.text === text && counted.user === user.trim();
  return (
    <section aria-label="Preview">
      <h3 className="section-title">What does this role show?</h3>
      <Group gap="sm" align="flex-end">
        <Autocomplete
          size="xs"
          w={220}
          label="For the attributes of"
          placeholder="nobody"
          data={(users.data?.users ?? []).map((each) => each.username)}
          value={user}
          onChange={setUser}
          error={problem?.field('user')}
        />
        <Button
          size="xs"
          variant="default"
          leftSection={<Eye size={14} />}
          loading={busy}
          disabled={!grants}
          onClick={() => void run(count)}
        >
          Count
        </Button>
        {counted && !isCurrent && (
          <Text size="xs" c="dimmed" role="status" mb={6}>
            The form has changed since; count again.
          </Text>
        )}
      </Group>
      {problem && !problem.field('user') && (
        <Text size="sm" c="red" role="alert" mt={6}>
          {problem.text}
        </Text>
      )}
      {counted && (
        <div className="role-preview" style={{ opacity: isCurrent ? undefined : 0.6 }}>
          <Counts kind="Nodes" types={counted.preview.node_types} />
          <Counts kind="Edges" types={counted.preview.edge_types} />
        </div>
      )}
    </section>
  );
}

function Counts({ kind, types }: { kind: string; types: PreviewedType[] }) {
  const shown = types.toSorted((a, b) => rank(a) - rank(b) || a.type.localeCompare(b.type));
  const late = types.some((each) => each.visible === null);
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label={`${kind} that the role shows`}>
      <table className="values">
        <thead>
          <tr>
            <th>{kind}</th>
            <th className="right">Shown</th>
            <th className="right">Of</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ type, visible, total }) => (
            <tr key={type} className={visible === 0 ? 'nothing-shown' : undefined}>
              <td>{escapeInvisible(type)}</td>
              <td className="right">
                {visible === null ? 'not counted' : visible === total && total > 0 ? `all ${formatCount(total)}` : formatCount(visible)}
              </td>
              <td className="right">{formatCount(total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {types.length === 0 && (
        <Text size="xs" c="dimmed">
          There are none.
        </Text>
      )}
      {late && (
        <Text size="xs" c="dimmed">
          Counting the others takes too long.
        </Text>
      )}
    </div>
  );
}

/** Types of which something is shown come first. */
const rank = ({ visible }: PreviewedType) => (visible === 0 ? 1 : 0);
