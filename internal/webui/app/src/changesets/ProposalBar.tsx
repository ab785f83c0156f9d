// The switch and the state of proposing, in the frame of every page. The list of operations is loaded on demand.
import { Button, Tooltip } from '@mantine/core';
import { Suspense, useState } from 'react';
import { onDemand } from '../api/onDemand';
import { usePermissions } from '../session/session';
import { viewAs } from '../session/viewAs';
import { escapeInvisible, pluralize } from '../values/text';
import { proposal, useProposal } from './proposal';

const ProposalDialog = onDemand(() => import('./ProposalDialog'));

export function ProposeSwitch() {
  const may = usePermissions();
  const { active } = useProposal();
  if (!may.see || viewAs) return null;
  return (
    <Tooltip label={active ? 'Write edits at once again' : 'Collect edits for a review instead of writing them'}>
      <button type="button" role="switch" aria-checked={active} className="propose" onClick={() => proposal.update({ active: !active })}>
        <span className="propose-track" aria-hidden />
        Propose
      </button>
    </Tooltip>
  );
}

export function ProposalBar() {
  const may = usePermissions();
  const { active, items, changeSet, title } = useProposal();
  const [open, setOpen] = useState(false);
  if (!may.see || viewAs || (!active && items.length === 0)) return null;
  const subject = changeSet ? `Editing the change set “${escapeInvisible(title)}”` : 'Proposing';
  return (
    <section className="proposal-bar" aria-label="Proposal">
      <span>
        <strong>{active ? subject : 'Proposing is off'}:</strong>{' '}
        {active ? 'edits are collected, not written.' : 'edits are written at once.'}
      </span>
      <span className="spacer" />
      <span role="status" style={{ whiteSpace: 'nowrap' }}>
        {pluralize(items.length, 'operation')}
      </span>
      <Button size="compact-sm" disabled={items.length === 0 && !changeSet} onClick={() => setOpen(true)}>
        Review and submit
      </Button>
      {open && (
        <Suspense>
          <ProposalDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  );
}
