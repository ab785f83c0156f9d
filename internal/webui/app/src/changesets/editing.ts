// Editing a change set: its operations are collected again, where more can be added.
import type { ChangeSet, Diff } from './changesets';
import { operationIndex } from './batch';
import { describeOperations, diffItems, nodeNames } from './diff';
import type { Operation } from './operations';
import type { Proposal } from './proposal';

/** A change set as a proposal that is edited. Operations with conflicts are based on the versions that the diff shows. */
export function proposalOf(changeSet: ChangeSet, etag: string, diff: Diff | undefined): Proposal {
  const items = diff ? diffItems(diff, changeSet.operations) : [];
  const names = nodeNames(diff?.entities ?? []);
  return {
    active: true,
    items: describeOperations(changeSet.operations, items, names).map((item, index) => ({
      ...item,
      operation: withCurrentVersion(item.operation, index, diff),
    })),
    title: changeSet.title,
    description: changeSet.description,
    changeSet: { id: changeSet.id, etag },
  };
}

function withCurrentVersion(operation: Operation, index: number, diff: Diff | undefined): Operation {
  const found = diff?.entities.find(({ conflict }) => conflict && operationIndex(conflict.field) === index)?.conflict?.found;
  return found && 'id' in operation ? { ...operation, if_match: found } : operation;
}
