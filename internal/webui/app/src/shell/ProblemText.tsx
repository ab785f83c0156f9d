import { asProblem } from '../api/problem';
import { isTimeout } from '../api/timeout';
import { TimeoutHelp } from './TimeoutHelp';

/** The text of an error; for a timeout also its causes and remedies. */
export function ProblemText({ error }: { error: unknown }) {
  const problem = asProblem(error);
  if (!isTimeout(problem) || problem.details.length === 0) return <>{problem.text}</>;
  return (
    <>
      {problem.message}
      <TimeoutHelp problem={problem} />
    </>
  );
}
