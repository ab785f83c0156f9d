/** The neighbors of a hub by one edge type, in one direction as seen from the hub, of one type. */
export interface GroupKey {
  direction: 'in' | 'out';
  edgeType: string;
  type: string | null;
}

export const nameOf = ({ direction, edgeType, type }: GroupKey) => JSON.stringify([direction, edgeType, type]);
export const isSameGroup = (a: GroupKey, b: GroupKey) => nameOf(a) === nameOf(b);
