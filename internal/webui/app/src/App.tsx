import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CloudOff, FileQuestion, Lock } from 'lucide-react';
import { Suspense, useEffect } from 'react';
import { Link, Route, Routes } from 'react-router';
import { onDemand } from './api/onDemand';
import { forgetLayouts } from './canvas/layoutStorage';
import { forgetCanvas } from './canvas/openCanvas';
import { forgetChanges } from './entity/changes';
import { unsaved } from './entity/unsaved';
import { ExplorePage } from './explore/ExplorePage';
import { useSharedStyles } from './explore/typeStyles';
import { forgetNames } from './home/stored';
import { Renewal } from './session/Renewal';
import { session, usePermissions, useSession } from './session/session';
import { basename } from './session/viewAs';
import { LoginPage } from './session/Login';
import { Shell } from './shell/Shell';
import { EmptyState, Loading } from './shell/States';
import { ViewPage } from './views/ViewPage';

// Pages that the first view does not need are loaded on demand. The page of a saved view is small, and React shows a page that it has
// waited for 300 ms later than it could.
const loadHome = () => import('./home/HomePage');
const HomePage = onDemand(loadHome);
const SchemaPage = onDemand(() => import('./schema/SchemaPage'));
const AskPage = onDemand(() => import('./ask/AskPage'));
const AuditPage = onDemand(() => import('./audit/AuditPage'));
const ConsolePage = onDemand(() => import('./console/ConsolePage'));
const QueriesPage = onDemand(() => import('./console/QueriesPage'));
const ChangesPage = onDemand(() => import('./history/ChangesPage'));
const ChangeSetPage = onDemand(() => import('./changesets/ChangeSetPage'));
const ChangeSetsPage = onDemand(() => import('./changesets/ChangeSetsPage'));
const DeclaredPage = onDemand(() => import('./declared/DeclaredPage'));
const ExplainPage = onDemand(() => import('./explain/ExplainPage'));
const IndexesPage = onDemand(() => import('./search/IndexesPage'));
const RolesPage = onDemand(() => import('./roles/RolesPage'));
const SystemPage = onDemand(() => import('./system/SystemPage'));
const TokensPage = onDemand(() => import('./tokens/TokensPage'));
const TrashPage = onDemand(() => import('./history/TrashPage'));
const UsersPage = onDemand(() => import('./users/UsersPage'));
const WebhooksPage = onDemand(() => import('./webhooks/WebhooksPage'));
const DeliveriesPage = onDemand(() => import('./webhooks/DeliveriesPage'));

export function App() {
  const { status, me } = useSession();
  const may = usePermissions();
  const queries = useQueryClient();
  const loggedOut = status === 'out';
  useSharedStyles();

  useEffect(() => {
    if (!loggedOut) return;
    unsaved.clear();
    forgetNames();
    forgetChanges();
    forgetCanvas();
    forgetLayouts();
    queries.clear(); // a user must not see what the previous user has read
  }, [loggedOut, queries]);

  useEffect(() => {
    // While the user logs in or the session is restored. If it fails, it is loaded again when the page is shown.
    if (location.pathname === `${basename}/`) void loadHome().catch(() => undefined);
  }, []);

  if (status === 'starting') return <Loading subject="the session" />;
  if (status === 'waiting') return <WaitingForService />;
  if (!me) return <LoginPage />;
  return (
    <>
      <Shell>
        <Suspense fallback={<Loading subject="the page" />}>
          <Routes>
            <Route path="/explore" element={<ExplorePage />} />
            <Route path="/ask" element={may.see ? <AskPage /> : <NotReadable />} />
            <Route path="/schema" element={<SchemaPage />} />
            <Route path="/console" element={may.console ? <ConsolePage /> : <NotPermitted permission="console" />} />
            <Route path="/queries" element={may.query ? <QueriesPage /> : <NotPermitted permission="query" />} />
            <Route path="/queries/:name" element={may.query ? <QueriesPage /> : <NotPermitted permission="query" />} />
            <Route path="/changes" element={may.see ? <ChangesPage /> : <NotReadable />} />
            <Route path="/trash" element={may.see ? <TrashPage /> : <NotReadable />} />
            <Route path="/change-sets" element={may.see ? <ChangeSetsPage /> : <NotReadable />} />
            <Route path="/change-sets/:id" element={may.see ? <ChangeSetPage /> : <NotReadable />} />
            <Route path="/views/:id" element={may.see ? <ViewPage /> : <NotReadable />} />
            <Route path="/declared-types" element={may.admin ? <DeclaredPage /> : <ForAdministrators task="declare types" />} />
            <Route path="/search-indexes" element={may.admin ? <IndexesPage /> : <ForAdministrators task="manage search indexes" />} />
            <Route path="/audit" element={may.admin ? <AuditPage /> : <ForAdministrators task="read the audit" />} />
            <Route path="/explain" element={may.admin ? <ExplainPage /> : <ForAdministrators task="explain decisions" />} />
            <Route path="/roles" element={may.admin ? <RolesPage /> : <ForAdministrators task="manage roles" />} />
            <Route path="/system" element={may.admin ? <SystemPage /> : <ForAdministrators task="see the system" />} />
            <Route path="/tokens" element={may.admin ? <TokensPage /> : <ForAdministrators task="manage service tokens" />} />
            <Route path="/users" element={may.admin ? <UsersPage /> : <ForAdministrators task="manage users" />} />
            <Route path="/webhooks" element={may.admin ? <WebhooksPage /> : <ForAdministrators task="manage webhooks" />} />
            <Route path="/webhooks/:name" element={may.admin ? <DeliveriesPage /> : <ForAdministrators task="manage webhooks" />} />
            <Route path="/" element={<HomePage me={me} />} />
            <Route path="*" element={<NotFound />} />
          </Routes>
        </Suspense>
      </Shell>
      <Renewal />
    </>
  );
}

/** The session is kept while the service is busy. */
function WaitingForService() {
  const { notice } = useSession();
  return (
    <EmptyState
      icon={CloudOff}
      title="The service is not ready"
      action={
        <div style={{ display: 'flex', gap: 8 }}>
          <Button onClick={() => session.retryNow()}>Try again now</Button>
          <Button variant="default" onClick={() => session.clear('')}>
            Log out
          </Button>
        </div>
      }
    >
      {notice}. You stay logged in; it is tried again automatically.
    </EmptyState>
  );
}

function NotFound() {
  return (
    <EmptyState icon={FileQuestion} title="Page not found" action={<Link to="/explore">Explore the graph</Link>}>
      There is no page at this address.
    </EmptyState>
  );
}

function ForAdministrators({ task }: { task: string }) {
  return <EmptyState title="For administrators">Only administrators {task}.</EmptyState>;
}

function NotPermitted({ permission }: { permission: string }) {
  return (
    <EmptyState icon={Lock} title={`You need the permission ${permission}`}>
      Ask an administrator for it.
    </EmptyState>
  );
}

function NotReadable() {
  return (
    <EmptyState icon={Lock} title="You may not read the graph">
      Ask an administrator for the permission read, or for a role.
    </EmptyState>
  );
}
