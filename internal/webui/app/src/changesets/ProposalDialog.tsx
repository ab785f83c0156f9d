import { Button, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { FormFooter, useSubmit } from '../shell/Form';
import { notify } from '../shell/notify';
import { escapeInvisible } from '../values/text';
import { editChangeSet, proposeChangeSet } from './changesets';
import { operationIndex } from './batch';
import { OperationList, referenceText } from './OperationList';
import type { Reference } from './operations';
import { newNodes, proposal, useProposal } from './proposal';

/** The collected operations, to be submitted as a change set. */
export default function ProposalDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { items, title, description, changeSet } = useProposal();
  const nodes = newNodes(items);
  const nameOf = (reference: Reference) =>
    (typeof reference === 'string' ? undefined : nodes.get(reference.ref)?.name) ?? referenceText(reference);

  const { problem, busy, submit } = useSubmit(async () => {
    const content = { title: title.trim(), description: description.trim(), operations: items.map((item) => item.operation) };
    const saved = changeSet ? await editChangeSet(changeSet.id, changeSet.etag, content) : await proposeChangeSet(content);
    proposal.clear();
    void queries.invalidateQueries({ queryKey: ['changesets'] });
    void queries.invalidateQueries({ queryKey: ['changeset', saved.id] });
    notify(escapeInvisible(saved.title), changeSet ? 'Change set saved' : 'Change set proposed');
    onClose();
    void navigate(`/change-sets/${encodeURIComponent(saved.id)}`);
  });
  const ofOperations = problem?.details.filter((detail) => operationIndex(detail.field) >= 0) ?? [];
  const others = problem && ofOperations.length === 0 && !problem.field('title') && !problem.field('description') ? problem.text : null;

  function discard() {
    proposal.clear();
    onClose();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={changeSet ? 'Edit the change set' : 'Propose a change set'}
      size="lg"
      closeOnClickOutside={false}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Title"
            required
            withAsterisk={false}
            maxLength={200}
            value={title}
            onChange={(event) => proposal.update({ title: event.currentTarget.value })}
            error={problem?.field('title')}
            data-autofocus
          />
          <Textarea
            label="Description"
            description="Why, for those who review it"
            autosize
            minRows={2}
            maxRows={8}
            value={description}
            onChange={(event) => proposal.update({ description: event.currentTarget.value })}
            error={problem?.field('description')}
          />
          <div>
            {items.length === 0 ? (
              <Text size="sm" c="dimmed">
                No operations.
              </Text>
            ) : (
              <OperationList items={items} nameOf={nameOf} onRemove={(item) => proposal.remove(item)} />
            )}
          </div>
          {ofOperations.length > 0 && (
            <Text size="sm" c="red" role="alert">
              {ofOperations
                .map(({ field, message }) => `${escapeInvisible(items[operationIndex(field)]?.name ?? field)}: ${message}`)
                .join('; ')}
            </Text>
          )}
          <FormFooter
            label={changeSet ? 'Save' : 'Submit'}
            error={others}
            busy={busy}
            disabled={title.trim() === '' || items.length === 0}
            onCancel={onClose}
          >
            <Button variant="subtle" color="red" onClick={discard}>
              {changeSet ? 'Discard the edits' : 'Discard all'}
            </Button>
          </FormFooter>
        </Stack>
      </form>
    </Modal>
  );
}
