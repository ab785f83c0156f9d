import { Modal, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { EntityName } from '../explore/EntityName';
import { LoadError, Loading } from '../shell/States';
import { formatCount, pluralize, escapeInvisible } from '../values/text';
import { entityKindOf, listViolations, type DeclaredType } from './declared';

/** The entities of a type that violate its declaration, with links. */
export function ViolationsDialog({ declared, onClose }: { declared: DeclaredType; onClose: () => void }) {
  const kind = entityKindOf(declared.kind);
  const found = useQuery({
    queryKey: ['violations', declared.kind, declared.type],
    queryFn: () => listViolations(declared.kind, declared.type),
    staleTime: 0,
  });
  return (
    <Modal opened onClose={onClose} title={`Violations of ${escapeInvisible(declared.type)}`} size="lg">
      {found.isPending && <Loading subject="the violations" />}
      {found.isError && <LoadError error={found.error} subject="the violations" retry={() => void found.refetch()} />}
      {found.data && found.data.violations.length === 0 && <Text size="sm">Every {kind} of this type is valid.</Text>}
      {found.data && found.data.violations.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            {found.data.page.total === undefined
              ? `More than ${formatCount(found.data.violations.length)} ${kind}s`
              : pluralize(found.data.page.total, kind, `${kind}s`)}
            {found.data.page.has_more ? `; the first ${formatCount(found.data.violations.length)}:` : ':'}
          </Text>
          <table className="plain-table">
            <thead>
              <tr>
                <th>{kind === 'node' ? 'Node' : 'Edge'}</th>
                <th>Problems</th>
              </tr>
            </thead>
            <tbody>
              {found.data.violations.map((v) => (
                <tr key={v.id}>
                  <td>
                    <EntityName kind={kind} id={v.id} type={declared.type} tab="properties" />
                  </td>
                  <td>{v.problems.map((p) => `${escapeInvisible(p.field)} ${p.message}`).join('; ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Modal>
  );
}
