import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { definitionsKey, listDefinitions } from '../console/queries';

interface Props {
  value: string[];
  error: string | undefined;
  onChange: (names: string[]) => void;
}

/** In the queries of a role: every saved query. */
export const allQueries = '*';

/** The saved queries that a role allows. */
export function RoleQueries({ value, error, onChange }: Props) {
  const saved = useQuery({ queryKey: definitionsKey, queryFn: ({ signal }) => listDefinitions(signal) });
  const names = [...new Set([...(saved.data ?? []).map(({ name }) => name), ...value])].filter((name) => name !== allQueries);
  return (
    <MultiSelect
      label="Saved queries"
      description="Users of the role may run them and see what they return, whatever the grants below say"
      placeholder={value.length === 0 ? 'None' : ''}
      searchable
      openOnFocus={false}
      data={[{ value: allQueries, label: 'All, also later ones' }, ...names.sort()]}
      value={value}
      onChange={(next) => onChange(next.includes(allQueries) ? [allQueries] : next)}
      error={error}
    />
  );
}
