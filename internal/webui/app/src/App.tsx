import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { ExplorePage } from './explore/ExplorePage';
import { Renewal } from './session/Renewal';
import { usePermissions, useSession } from './session/session';
import { LoginPage } from './session/Login';
import { Shell } from './shell/Shell';
import { EmptyState, Loading } from './shell/States';

// Pages that the first view does not need are loaded on demand.
const SchemaPage = lazy(() => import('./schema/SchemaPage'));
const AuditPage = lazy(() => import('./audit/AuditPage'));
const DeclaredPage = lazy(() => import('./declared/DeclaredPage'));
const IndexesPage = lazy(() => import('./search/IndexesPage'));
const UsersPage = lazy(() => import('./users/UsersPage'));

export function App() {
  const { status, me } = useSession();
  const may = usePermissions();
  const queries = useQueryClient();
  const loggedOut = status === 'out';

  useEffect(() => {
    if (loggedOut) queries.clear(); // a user must not see what the previous user has read
  }, [loggedOut, queries]);

  if (status === 'starting') return <Loading subject="the session" />;
  if (!me) return <LoginPage />;
  return (
    <>
      <Shell>
        <Suspense fallback={<Loading subject="the page" />}>
          <Routes>
            <Route path="/explore" element={<ExplorePage />} />
            <Route path="/schema" element={<SchemaPage />} />
            <Route path="/declared-types" element={may.admin ? <DeclaredPage /> : <EmptyState title="For administrators">Only administrators declare types.</EmptyState>} />
            <Route path="/search-indexes" element={may.admin ? <IndexesPage /> : <EmptyState title="For administrators">Only administrators manage search indexes.</EmptyState>} />
            <Route path="/audit" element={may.admin ? <AuditPage /> : <EmptyState title="For administrators">Only administrators read the audit.</EmptyState>} />
            <Route path="/users" element={may.admin ? <UsersPage /> : <EmptyState title="For administrators">Only administrators manage users.</EmptyState>} />
            <Route path="*" element={<Navigate to="/explore" replace />} />
          </Routes>
        </Suspense>
      </Shell>
      <Renewal />
    </>
  );
}
