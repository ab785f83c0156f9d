import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { ExplorePage } from './explore/ExplorePage';
import { Renewal } from './session/Renewal';
import { useMay, useSession } from './session/session';
import { SignIn } from './session/SignIn';
import { Shell } from './shell/Shell';
import { Empty, Loading } from './shell/States';

// What the first look at the graph does not need comes later.
const SchemaPage = lazy(() => import('./schema/SchemaPage'));
const AuditPage = lazy(() => import('./audit/AuditPage'));
const DeclaredPage = lazy(() => import('./declared/DeclaredPage'));
const IndexesPage = lazy(() => import('./search/IndexesPage'));
const UsersPage = lazy(() => import('./users/UsersPage'));

export function App() {
  const { status, me } = useSession();
  const may = useMay();
  const queries = useQueryClient();
  const out = status === 'out';

  useEffect(() => {
    if (out) queries.clear(); // what one user has read is nothing for the next
  }, [out, queries]);

  if (status === 'starting') return <Loading what="the session" />;
  if (!me) return <SignIn />;
  return (
    <>
      <Shell>
        <Suspense fallback={<Loading what="the page" />}>
          <Routes>
            <Route path="/explore" element={<ExplorePage />} />
            <Route path="/schema" element={<SchemaPage />} />
            <Route path="/declared-types" element={may.admin ? <DeclaredPage /> : <Empty title="For administrators">Types are declared by administrators.</Empty>} />
            <Route path="/search-indexes" element={may.admin ? <IndexesPage /> : <Empty title="For administrators">Search indexes are managed by administrators.</Empty>} />
            <Route path="/audit" element={may.admin ? <AuditPage /> : <Empty title="For administrators">The audit is read by administrators.</Empty>} />
            <Route path="/users" element={may.admin ? <UsersPage /> : <Empty title="For administrators">Users and their permissions are managed by administrators.</Empty>} />
            <Route path="*" element={<Navigate to="/explore" replace />} />
          </Routes>
        </Suspense>
      </Shell>
      <Renewal />
    </>
  );
}
