import { Anchor, Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { explorePath } from '../explore/address';
import { Failed, Loading } from '../shell/States';
import { count, plural, visible } from '../values/text';
import { entityOf, listViolations, type DeclaredType } from './declared';

/** What of a type breaks its declaration, with the way to each. */
export function ViolationsDialog({ declared, onClose }: { declared: DeclaredType; onClose: () => void }) {
  const kind = entityOf(declared.kind);
  const found = useQuery({ queryKey: ['violations', declared.kind, declared.type], queryFn: () => listViolations(declared.kind, declared.type), staleTime: 0 });
  return (
    <Modal opened onClose={onClose} title={`Violations of ${visible(declared.type)}`} size="lg">
      {found.isPending && <Loading what="the violations" />}
      {found.isError && <Failed error={found.error} what="the violations" retry={() => void found.refetch()} />}
      {found.data && found.data.violations.length === 0 && <Text size="sm">Every {kind} of this type keeps to its declaration.</Text>}
      {found.data && found.data.violations.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            {found.data.page.total === undefined ? `More than ${count(found.data.violations.length)} ${kind}s` : plural(found.data.page.total, kind, `${kind}s`)}
            {found.data.page.has_more ? `; the first ${count(found.data.violations.length)}:` : ':'}
          </Text>
          <table className="plain-table">
            <thead>
              <tr>
                <th>{kind === 'node' ? 'Node' : 'Edge'}</th>
                <th>What is wrong</th>
              </tr>
            </thead>
            <tbody>
              {found.data.violations.map((v) => (
                <tr key={v.id}>
                  <td>
                    <Anchor component={Link} size="sm" to={explorePath({ kind, type: declared.type, open: { kind, id: v.id } })}>
                      {v.id}
                    </Anchor>
                  </td>
                  <td>{v.problems.map((p) => `${visible(p.field)} ${p.message}`).join('; ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Modal>
  );
}
