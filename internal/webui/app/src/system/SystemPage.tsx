import { Group, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { RefreshButton } from '../shell/RefreshButton';
import { LoadError, Loading } from '../shell/States';
import { escapeInvisible, formatTime } from '../values/text';
import { DatabaseFindings } from './DatabaseFindings';
import { IndexAdviceTable } from './IndexAdviceTable';
import { IndexTable } from './IndexTable';
import { SizeTable } from './SizeTable';
import { WebhookStates } from './WebhookStates';
import { getSystem, systemKey, type System } from './system';

/** The state of the service, for administrators: findings in the database, sizes, webhooks, indexes with advice, settings. */
export default function SystemPage() {
  const system = useQuery({ queryKey: systemKey, queryFn: getSystem, staleTime: 0 });
  if (system.isPending) return <Loading subject="the state of the service" />;
  if (system.isLoadingError)
    return <LoadError error={system.error} subject="the state of the service" retry={() => void system.refetch()} />;
  return (
    <div className="page">
      <div className="page-inner">
        <Group mb="md">
          <h1 style={{ margin: 0, fontSize: '1.2rem' }}>System</h1>
          <span className="spacer" />
          <RefreshButton keys={['system', 'webhooks', 'deliveries', 'property-indexes', 'index-advice']} />
        </Group>
        <State system={system.data} />
        <DatabaseFindings />
        <SizeTable />
        <WebhookStates />
        <IndexTable />
        <IndexAdviceTable />
        <Settings settings={system.data.settings} />
      </div>
    </div>
  );
}

/** When the identity provider was last reached. */
function ProviderState({ state: { issuer, discovery, keys } }: { state: NonNullable<System['single_sign_on']> }) {
  const contact = (name: string, { read_at, failed_at }: typeof keys) => (
    <div style={failed_at === null ? undefined : { color: 'var(--mantine-color-error)' }}>
      {name} {failed_at !== null && `not reached ${formatTime(failed_at)}; last `}
      {read_at === null ? (failed_at === null ? 'not read yet' : 'never read') : `read ${formatTime(read_at)}`}
    </div>
  );
  return (
    <>
      <div style={{ overflowWrap: 'anywhere' }}>{escapeInvisible(issuer)}</div>
      {contact('Discovery', discovery)}
      {contact('Keys', keys)}
    </>
  );
}

function State({ system: { version, started_at, not_ready, single_sign_on } }: { system: System }) {
  return (
    <section aria-label="State">
      <table className="values">
        <tbody>
          <tr>
            <th>Version</th>
            <td>{escapeInvisible(version) || 'not known'}</td>
          </tr>
          <tr>
            <th>Started</th>
            <td>{formatTime(started_at)}</td>
          </tr>
          <tr>
            <th>Ready</th>
            <td>
              {not_ready.length === 0
                ? 'yes'
                : not_ready.map(({ part, message }) => <div key={part}>{escapeInvisible(`${part} ${message}`)}</div>)}
            </td>
          </tr>
          <tr>
            <th>Single sign-on</th>
            <td>{single_sign_on === null ? 'off' : <ProviderState state={single_sign_on} />}</td>
          </tr>
        </tbody>
      </table>
      <Text size="xs" c="dimmed">
        If there are several replicas, one of them answers.
      </Text>
    </section>
  );
}

function Settings({ settings }: { settings: System['settings'] }) {
  const [all, setAll] = useState(false);
  const shown = settings.filter(({ source }) => all || (source !== '' && source !== 'default'));
  return (
    <section aria-label="Settings">
      <h2 className="section-title">Settings</h2>
      <Switch size="xs" mb="xs" label="Also those with their defaults" checked={all} onChange={(e) => setAll(e.currentTarget.checked)} />
      {shown.length === 0 && <Text size="sm">All settings have their defaults.</Text>}
      {shown.length > 0 && (
        <div className="card scroll-x" tabIndex={0} role="region" aria-label="Values of the settings">
          <table className="plain-table">
            <thead>
              <tr>
                <th>Name</th>
                <th>Value</th>
                <th>Source</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ name, value, source }) => (
                <tr key={name}>
                  <td className="mono">{name}</td>
                  <td className="mono" style={{ overflowWrap: 'anywhere' }}>
                    {escapeInvisible(value)}
                  </td>
                  <td style={{ whiteSpace: 'nowrap' }}>{source}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
