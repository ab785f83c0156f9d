import { Button } from '@mantine/core';
import { Eye } from 'lucide-react';
import { useSession } from '../session/session';
import { leaveView, viewAs } from '../session/viewAs';
import { escapeInvisible } from '../values/text';

/** Shows whom the page is viewed as. */
export function ViewAsBar() {
  const { notice } = useSession();
  if (!viewAs) return null;
  const name = <strong>{escapeInvisible(viewAs.name)}</strong>;
  const seen =
    viewAs.kind === 'user' ? <>You see what {name} sees (read only).</> : <>You see what the role {name} shows alone (read only).</>;
  return (
    <section className="view-as-bar" aria-label="View as">
      <Eye size={16} aria-hidden />
      <span role="status">
        {seen} {notice}
      </span>
      <span className="spacer" />
      <Button size="compact-sm" variant="default" onClick={leaveView}>
        Leave
      </Button>
    </section>
  );
}
