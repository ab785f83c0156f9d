import { Text } from '@mantine/core';
import { queriesText, type EffectiveRight, type Role } from '../roles/roles';
import { allActions } from '../roles/grants';
import type { Permission } from '../session/session';
import { escapeInvisible } from '../values/text';

/** What a user may do: everything by a permission, or what the grants of roles are for. */
export function EffectiveTable({ rights, permissions, roles }: { rights: EffectiveRight[]; permissions: Permission[]; roles: Role[] }) {
  const naming = roles.filter((role) => role.queries.length > 0);
  return (
    <section aria-label="Effective rights">
      <h3 className="section-title">Effective rights</h3>
      <table className="values">
        <thead>
          <tr>
            <th style={{ width: '5.5rem' }}>Action</th>
            <th>Nodes</th>
            <th>Edges</th>
          </tr>
        </thead>
        <tbody>
          {allActions.map((action) => (
            <tr key={action}>
              <th>{action}</th>
              {(['node', 'edge'] as const).map((kind) => (
                <td key={kind}>
                  <Right right={rights.find((each) => each.kind === kind && each.action === action)!} />
                </td>
              ))}
            </tr>
          ))}
          <tr>
            <th>run queries</th>
            <td colSpan={2}>
              {permissions.includes('query') ? (
                'all'
              ) : naming.length === 0 ? (
                <span className="absent">none</span>
              ) : (
                naming.map((role) => (
                  <div key={role.name}>
                    {queriesText(role.queries).map(escapeInvisible)} <span className="type-count">by {escapeInvisible(role.name)}</span>
                  </div>
                ))
              )}
            </td>
          </tr>
        </tbody>
      </table>
      <Text size="xs" c="dimmed" mt={4}>
        Everything: by a permission. A grant counts only while its conditions are met, and may hide or protect properties.
      </Text>
    </section>
  );
}

function Right({ right }: { right: EffectiveRight }) {
  if (right.everything) return <>everything</>;
  if (right.grants.length === 0) return <span className="absent">nothing</span>;
  return (
    <>
      {right.grants.map(({ role, text }, index) => (
        <div key={index}>
          {escapeInvisible(text)} <span className="type-count">by {escapeInvisible(role)}</span>
        </div>
      ))}
    </>
  );
}
