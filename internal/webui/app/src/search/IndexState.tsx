// The state of an index on properties or of a search index.
interface Index {
  state: string;
  /** Of building, in percent. */
  progress?: number | null;
}

export function IndexStateCell({ index: { state, progress } }: { index: Index }) {
  return (
    <td style={{ whiteSpace: 'nowrap', color: state === 'failed' ? 'var(--mantine-color-error)' : undefined }}>
      {state === 'building' ? `building, ${Math.floor(progress ?? 0)} %` : state}
    </td>
  );
}

/** A list of indexes is read again while one is being built: the refetchInterval of its query. */
export const whileBuilding = ({ state }: { state: { data?: Index[] | undefined } }) =>
  state.data?.some((index) => index.state === 'building') ? 2000 : false;
