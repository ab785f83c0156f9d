import { Text } from '@mantine/core';
import type { Permission } from '../session/session';
import { ConfirmDialog } from '../shell/ConfirmDialog';
import { escapeInvisible } from '../values/text';
import { changeUser, type User, type UserChange } from './users';

/** A change of what a user may do: a permission or admin is given or taken, or the account is disabled or enabled. */
export type RightsChange = { right: Permission | 'admin'; give: boolean } | { disable: boolean };

interface Props {
  user: User;
  change: RightsChange;
  onClose: () => void;
  onDone: (user: User) => void;
}

/** Asks before the rights of a user are changed: what will be so is said in words, and counts at once. */
export function RightsDialog({ user, change, onClose, onDone }: Props) {
  const { title, label, text, sent, takes } = describeChange(user, change);
  return (
    <ConfirmDialog
      title={title}
      label={label}
      color={takes ? 'red.8' : ''}
      onClose={onClose}
      run={async () => onDone(await changeUser(user.username, sent))}
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </ConfirmDialog>
  );
}

interface Described {
  title: string;
  label: string;
  text: string;
  sent: UserChange;
  /** Whether the user loses something. */
  takes: boolean;
}

const allowed: Record<Permission | 'admin', string> = {
  read: 'see every node and edge, with all properties',
  create: 'create nodes and edges of every type',
  edit: 'change every node and edge',
  delete: 'delete every node and edge',
  query: 'run every saved query',
  console: 'run Cypher that reads the graph',
  admin: 'use the administration: users, roles, tokens, indexes, webhooks, the audit',
};

function describeChange(user: User, change: RightsChange): Described {
  const name = escapeInvisible(user.username);
  if ('disable' in change)
    return change.disable
      ? {
          title: `Disable ${name}?`,
          label: 'Disable user',
          text: `${name} is logged out and cannot log in until the account is enabled. The personal tokens end for good.`,
          sent: { disabled: true },
          takes: true,
        }
      : { title: `Enable ${name}?`, label: 'Enable user', text: `${name} can log in again.`, sent: { disabled: false }, takes: false };
  const { right, give } = change;
  const others = user.permissions.filter((each) => each !== right);
  return {
    title: give ? `Give ${name} the right ${right}?` : `Take the right ${right} from ${name}?`,
    label: give ? `Give ${right}` : `Take ${right}`,
    text: give
      ? `${name} may then ${allowed[right]}. It counts at once.`
      : `${name} may then no longer ${allowed[right]}${right === 'admin' || right === 'console' ? '' : ', except by roles'}.`,
    sent: right === 'admin' ? { admin: give } : { permissions: give ? [...others, right] : others },
    takes: !give,
  };
}
