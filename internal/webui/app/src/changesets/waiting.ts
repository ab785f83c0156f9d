// The change sets that wait for the user: on the first page, and as a count in the navigation.
import { useQuery } from '@tanstack/react-query';
import type { Me } from '../session/session';
import { viewAs } from '../session/viewAs';
import { listChangeSets } from './changesets';
import { decisionsOf } from './decisions';

/** The open and the approved change sets, the latter if the user may write, and those of them that the user may approve or apply. */
export function useWaitingChangeSets(me: Me, onlyDecidable = false) {
  const isWanted = !onlyDecidable || !viewAs;
  const mayWrite = [...me.effective.node, ...me.effective.edge].some((action) => action !== 'read');
  const open = useQuery({
    queryKey: ['changesets', 'home', 'open'],
    queryFn: ({ signal }) => listChangeSets({ status: 'open' }, '', signal),
    enabled: isWanted && (mayWrite || !onlyDecidable),
  });
  const approved = useQuery({
    queryKey: ['changesets', 'home', 'approved'],
    queryFn: ({ signal }) => listChangeSets({ status: 'approved' }, '', signal),
    enabled: isWanted && mayWrite,
  });
  const all = [...(approved.data?.items ?? []), ...(open.data?.items ?? [])];
  const mayDecide = (set: (typeof all)[number]) => {
    const { apply, approve } = decisionsOf(set, me);
    return apply || approve;
  };
  return {
    all,
    waiting: viewAs ? [] : all.filter(mayDecide),
    /** Whether there are more change sets than were read. */
    partial: [open, approved].some(({ data }) => data?.page.next_cursor),
    error: open.error ?? approved.error,
    isPending: open.isPending || approved.isLoading,
  };
}
