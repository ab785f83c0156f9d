import { Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../shell/States';
import { escapeInvisible, formatTime } from '../values/text';
import { findingsKey, getFindings, type Findings } from './system';

const colours: Record<Findings['findings'][number]['level'], string> = { problem: 'note-bad', warning: 'note-soon', note: '' };

/** The release of the database, and what the service found in it. */
export function DatabaseFindings() {
  const found = useQuery({ queryKey: findingsKey, queryFn: getFindings, staleTime: 0 });
  return (
    <section aria-label="Database">
      <h2 className="section-title">Database</h2>
      {found.isPending && <Text size="sm">Checking the database…</Text>}
      {found.isError && <LoadError error={found.error} subject="the findings" retry={() => void found.refetch()} />}
      {found.isSuccess && (
        <>
          <Text size="sm">
            Neo4j {found.data.version}, {found.data.edition} edition; checked {formatTime(found.data.checked_at)}
          </Text>
          {found.data.findings.length === 0 && <Text size="sm">No findings</Text>}
          <ul className="findings">
            {found.data.findings.map(({ level, subject, message, remedy }, index) => (
              <li key={index}>
                <Badge miw="max-content" tt="none" size="sm" radius="sm" variant="default" className={colours[level]}>
                  {level}
                </Badge>{' '}
                <strong>{escapeInvisible(subject)}</strong>: {escapeInvisible(message)}
                {remedy !== null && <div className="type-count">Remedy: {escapeInvisible(remedy)}</div>}
              </li>
            ))}
          </ul>
          <Text size="xs" c="dimmed">
            <code>graphrest doctor</code> also reads every node and edge for the IDs of the types, and tries whether the database fetches
            from addresses.
          </Text>
        </>
      )}
    </section>
  );
}
