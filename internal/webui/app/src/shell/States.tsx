import { Button, Loader } from '@mantine/core';
import { CircleAlert, CircleX, Inbox, Lock, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { asProblem } from '../api/problem';
import { ProblemText } from './ProblemText';
import { Waiting } from './Waiting';

interface Props {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Shown instead of content: the reason, and an action if there is one. */
export function EmptyState({ icon: Icon = Inbox, title, children, action }: Props) {
  return (
    <div className="state">
      <Icon size={34} strokeWidth={1.4} aria-hidden />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

export function Loading({ subject }: { subject: string }) {
  return (
    <div className="state" role="status">
      <Loader size="sm" />
      <p>Loading {subject}…</p>
    </div>
  );
}

/** Shown instead of content while a request runs that may take long. Waiting replaces the text after a second. */
export function CancellableLoading({ subject, onCancel }: { subject: string; onCancel: () => void }) {
  return (
    <div className="state cancellable">
      <Loading subject={subject} />
      <Waiting subject={subject} onCancel={onCancel} />
    </div>
  );
}

/** Shown instead of content that was not loaded because the user cancelled the request. */
export function Cancelled({ subject, retry }: { subject: string; retry: () => void }) {
  return (
    <EmptyState
      icon={CircleX}
      title="Canceled"
      action={
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      }
    >
      Loading {subject} was canceled.
    </EmptyState>
  );
}

export function LoadError({ error, subject, retry }: { error: unknown; subject: string; retry?: () => void }) {
  const problem = asProblem(error);
  return (
    <div className="state" role="alert">
      {problem.code === 'PERMISSION_DENIED' ? (
        <Lock size={34} strokeWidth={1.4} aria-hidden />
      ) : (
        <CircleAlert size={34} strokeWidth={1.4} aria-hidden />
      )}
      <h2>{problem.code === 'PERMISSION_DENIED' ? `You may not see ${subject}` : `Could not load ${subject}`}</h2>
      <div className="state-text">
        <ProblemText error={problem} />
      </div>
      {problem.requestId && <p className="mono">Request {problem.requestId}</p>}
      {retry && problem.code !== 'PERMISSION_DENIED' && (
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}
