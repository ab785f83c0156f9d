import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './app.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider, type InfiniteData } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { isTransient } from './api/client';
import { onOutageEnd } from './api/outage';
import { asProblem } from './api/problem';
import { readFailed } from './api/readFailed';
import { App } from './App';
import { session } from './session/session';
import { basename } from './session/viewAs';
import { notify, notifyProblem } from './shell/notify';
import { theme } from './theme';

const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // Without data the page shows the error itself, and so it does for a further page, and for what was deleted.
      const isShown = query.state.data === undefined || query.state.fetchMeta !== null || asProblem(error).code === 'NOT_FOUND';
      if (!isShown && !isTransient(error) && query.isActive()) notifyProblem(error, 'Not refreshed');
    },
  }),
  mutationCache: new MutationCache(),
  defaultOptions: {
    queries: {
      // Requests count against the rate limit, so nothing is refetched without a reason.
      staleTime: 60_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (failures, error) => failures < 2 && isTransient(error),
    },
  },
});

// What others change is read again when the window gets the focus or the network returns, if it is older than a minute.
const data = ['list', 'linked', 'schema', 'search', 'changesets'];
const administration = ['users', 'logins', 'roles', 'tokens', 'webhooks', 'declared', 'search-indexes', 'system'];
for (const key of [...data, ...administration, 'property-indexes', 'index-advice'])
  queries.setQueryDefaults([key], { refetchOnWindowFocus: true, refetchOnReconnect: true });
// Pages that were loaded on demand stay as they are.
queries.setQueryDefaults(['audit'], {
  refetchOnWindowFocus: ({ state }) => (state.data as InfiniteData<unknown> | undefined)?.pages.length === 1,
});

// At the end of an outage what has failed is read at once, and what may have changed as if the network returned.
onOutageEnd(() => {
  readFailed(queries);
  queries.getQueryCache().onOnline();
  notify('What could not be read is read again.', 'The service is available');
});

void session.start();

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <Notifications position="bottom-left" limit={3} />
        <BrowserRouter basename={basename || '/'}>
          <App />
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
