import { Button, Group, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { viewAs } from '../session/viewAs';
import { useSubmit } from '../shell/Form';
import { escapeInvisible, formatTime } from '../values/text';
import { addComment, type ChangeSet } from './changesets';

const eventTexts: Record<string, string> = {
  propose: 'proposed it',
  edit: 'edited it',
  approve: 'approved it',
  reject: 'rejected it',
  withdraw: 'withdrew it',
  apply: 'applied it',
};

/** The actions and comments of users, oldest first, and the form for a comment. */
export function Activity({ changeSet }: { changeSet: ChangeSet }) {
  const entries = [
    ...changeSet.events.map((event) => ({ at: event.at, user: event.user, event: eventTexts[event.action] ?? event.action, text: '' })),
    ...changeSet.comments.map((comment) => ({ at: comment.at, user: comment.user, event: 'commented', text: comment.text })),
  ].sort((a, b) => a.at.localeCompare(b.at));
  return (
    <section aria-label="Activity">
      <h2>Activity</h2>
      <ul className="activity">
        {entries.map((entry, index) => (
          <li key={index}>
            <strong style={{ fontWeight: 600 }}>{escapeInvisible(entry.user)}</strong> {entry.event}
            <time dateTime={entry.at} title={entry.at}>
              {formatTime(entry.at)}
            </time>
            {entry.text && <p className="comment-text">{escapeInvisible(entry.text)}</p>}
          </li>
        ))}
      </ul>
      {!viewAs && <CommentForm id={changeSet.id} />}
    </section>
  );
}

function CommentForm({ id }: { id: string }) {
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const { problem, busy, submit } = useSubmit(async () => {
    await addComment(id, text.trim());
    setText('');
    await queries.invalidateQueries({ queryKey: ['changeset', id], exact: true });
  });
  return (
    <form onSubmit={submit}>
      <Textarea
        mt="sm"
        label="Comment"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={4096}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={problem?.field('text')}
      />
      {problem && !problem.field('text') && (
        <Text size="sm" c="red" role="alert">
          {problem.text}
        </Text>
      )}
      <Group justify="flex-end" mt="xs">
        <Button size="xs" type="submit" variant="default" loading={busy} disabled={text.trim() === ''}>
          Add comment
        </Button>
      </Group>
    </form>
  );
}
