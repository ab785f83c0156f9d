import { Modal, MultiSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { assignProblem, fieldsOf, parseForm } from '../entity/form';
import { PropertyForm } from '../entity/PropertyForm';
import { effectiveRights, type Role } from '../roles/roles';
import { FormFooter, useSubmit } from '../shell/Form';
import { useDiscardQuestion } from '../shell/useDiscardQuestion';
import { escapeInvisible } from '../values/text';
import type { Properties } from '../values/value';
import { EffectiveTable } from './EffectiveTable';
import { changeUser, type User, type UserChange } from './users';

interface Props {
  user: User;
  roles: Role[];
  onClose: () => void;
  onDone: (user: User) => void;
}

/** Sets the roles and the attributes of a user, and shows what the user may do with them. */
export function AccessDialog({ user, roles, onClose, onDone }: Props) {
  const before = user.attributes as unknown as Properties;
  const [names, setNames] = useState(user.roles);
  const [fields, setFields] = useState(() => fieldsOf(before));
  const attributes = parseForm(fields, before);
  const change: UserChange = {
    ...(names.length !== user.roles.length || names.some((name) => !user.roles.includes(name)) ? { roles: names } : {}),
    ...(attributes.count > 0 ? { attributes: attributes.values as unknown as UserChange['attributes'] } : {}),
  };
  const changed = Object.keys(change).length > 0;
  const { problem, busy, submit, clearProblem } = useSubmit(async () => onDone(await changeUser(user.username, change)));
  const ofFields = problem ? assignProblem(fields, problem, 'attributes') : attributes.errors;
  const ofRoles = problem?.details.find((detail) => /^roles\b/.test(detail.field))?.message;
  const unassigned = problem && ofFields.size === 0 && !ofRoles ? problem.text : null;
  const discard = useDiscardQuestion(changed || attributes.errors.size > 0, onClose);
  const chosen = roles.filter((role) => names.includes(role.name));
  const rights = effectiveRights(user.permissions, chosen);

  return (
    <>
      <Modal
        opened
        onClose={discard.close}
        title={`Roles and attributes of ${escapeInvisible(user.username)}`}
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={!discard.asking}
      >
        <form onSubmit={submit} autoComplete="off">
          <Stack gap="sm">
            <MultiSelect
              openOnFocus={false}
              label="Roles"
              description="Each allows actions on parts of the graph"
              placeholder={names.length === 0 ? (roles.length === 0 ? 'There are no roles yet' : 'None') : ''}
              searchable
              data={[...new Set([...roles.map((role) => role.name), ...user.roles])]}
              value={names}
              onChange={(next) => {
                setNames(next);
                clearProblem();
              }}
              error={ofRoles}
              data-autofocus
            />
            <section aria-label="Attributes">
              <h3 className="section-title" style={{ marginTop: 0 }}>
                Attributes
              </h3>
              <Text size="xs" c="dimmed" mb={4}>
                Values of this user for the conditions of roles, such as team: blue.
              </Text>
              <PropertyForm
                noun="attribute"
                fields={fields}
                errors={ofFields}
                known={[]}
                onChange={(next) => {
                  setFields(next);
                  clearProblem();
                }}
              />
            </section>
            <EffectiveTable rights={rights} permissions={user.permissions} roles={chosen} />
            <FormFooter
              label="Save"
              error={unassigned}
              busy={busy}
              disabled={!changed || attributes.errors.size > 0}
              onCancel={discard.close}
            />
          </Stack>
        </form>
      </Modal>
      {discard.question}
    </>
  );
}
