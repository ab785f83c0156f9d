import { Button } from '@mantine/core';
import { matchQuery, useIsFetching, useQueryClient, type Query } from '@tanstack/react-query';

/** Reads what a page shows again: the queries whose keys begin with one of these. */
export function RefreshButton({ keys }: { keys: string[] }) {
  const queries = useQueryClient();
  const predicate = (query: Query) => keys.some((key) => matchQuery({ queryKey: [key] }, query));
  return (
    <Button
      size="xs"
      variant="default"
      loading={useIsFetching({ predicate }) > 0}
      onClick={() => void queries.invalidateQueries({ predicate })}
    >
      Refresh
    </Button>
  );
}
