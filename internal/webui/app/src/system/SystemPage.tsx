import { Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { LoadError, Loading } from '../shell/States';
import { escapeInvisible, formatTime } from '../values/text';
import { IndexAdviceTable } from './IndexAdviceTable';
import { IndexTable } from './IndexTable';
import { getSystem, systemKey, type System } from './system';

/** The state of the service, for administrators: version, readiness, indexes with advice, and the settings in use. */
export default function SystemPage() {
  const system = useQuery({ queryKey: systemKey, queryFn: getSystem, staleTime: 0 });
  if (system.isPending) return <Loading subject="the state of the service" />;
  if (system.isError) return <LoadError error={system.error} subject="the state of the service" retry={() => void system.refetch()} />;
  return (
    <div className="page">
      <div className="page-inner">
        <h1 style={{ margin: '0 0 1rem', fontSize: '1.2rem' }}>System</h1>
        <State system={system.data} />
        <IndexTable />
        <IndexAdviceTable />
        <Settings settings={system.data.settings} />
      </div>
    </div>
  );
}

function State({ system: { version, started_at, not_ready } }: { system: System }) {
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
            <th>Webhooks</th>
            <td>
              <Link to="/webhooks">their state and last errors</Link>
            </td>
          </tr>
          <tr>
            <th>Database</th>
            <td>
              <code>graphrest doctor</code> checks it: releases, look-up indexes, security
            </td>
          </tr>
        </tbody>
      </table>
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
                  <td>{source}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
