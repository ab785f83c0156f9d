import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { Link } from 'react-router';
import { getSchema } from '../api/graph';
import type { View } from '../explore/url';
import { usePermissions } from '../session/session';
import { useSubmit } from '../shell/Form';
import { EmptyState, LoadError, Loading } from '../shell/States';
import { pluralize, escapeInvisible } from '../values/text';
import { HitList } from './HitList';
import { firstIndex, makeIndex, searchNames, type NameSearch } from './firstDay';

interface Props {
  words: string;
  open: View['open'];
  onOpen: (open: View['open']) => void;
}

/** What a search finds without a search index: nodes by their names. Administrators can make an index with one click. */
export function WithoutIndex({ words, open, onOpen }: Props) {
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema });
  const found = useQuery({
    queryKey: ['search', 'names', words],
    queryFn: ({ signal }) => searchNames(schema.data!, words, signal),
    enabled: schema.isSuccess,
    retry: false,
  });
  if (schema.isLoadingError) return <LoadError error={schema.error} subject="the results" retry={() => void schema.refetch()} />;
  if (found.isLoadingError) return <LoadError error={found.error} subject="the results" retry={() => void found.refetch()} />;
  if (!found.data) return <Loading subject="the results" />;
  const { hits } = found.data;
  return (
    <>
      <div className="search-note" role="note">
        <Text size="sm">{noteText(found.data)}</Text>
        <IndexOffer />
      </div>
      {hits.length === 0 && (
        <EmptyState icon={SearchX} title="No results">
          No name contains this text as it is written here. With a search index, accents and the order of words do not matter.
        </EmptyState>
      )}
      {hits.length > 0 && <HitList hits={hits} label="Results" open={open} onOpen={onOpen} />}
      <div className="grid-foot">
        <span role="status">{pluralize(hits.length, 'name')} found</span>
      </div>
    </>
  );
}

function noteText({ searched, left }: NameSearch): string {
  const where = searched.length === 0 ? 'No type has names that can be searched.' : `Only the names of ${list(searched)} were searched`;
  const others = left > 0 ? `; ${pluralize(left, 'more type')} ${left === 1 ? 'was' : 'were'} not.` : searched.length === 0 ? '' : '.';
  return `There is no search index yet. ${where}${others}`;
}

const list = (types: string[]) => types.map(escapeInvisible).join(', ');

function IndexOffer() {
  const may = usePermissions();
  const queries = useQueryClient();
  const schema = useQuery({ queryKey: ['schema'], queryFn: getSchema });
  const index = schema.data ? firstIndex(schema.data) : null;
  const { problem, busy, run } = useSubmit(() => Promise.resolve());
  if (!may.admin) return <Text size="sm">An administrator can make one, which searches all texts.</Text>;
  if (!index) return null;
  const make = async () => {
    await makeIndex(index);
    for (const key of ['search', 'search-indexes', 'schema']) void queries.invalidateQueries({ queryKey: [key] });
  };
  return (
    <>
      <Button size="xs" loading={busy} onClick={() => void run(make)} title={`Texts: ${index.properties.join(', ')}`}>
        Make a search index
      </Button>
      <Link className="linkbutton" to="/search-indexes">
        Choose its types and properties
      </Link>
      {problem && (
        <Text size="sm" c="red" role="alert">
          {problem.text}
        </Text>
      )}
    </>
  );
}
