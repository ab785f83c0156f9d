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
import { App } from './App';
import { session } from './session/session';
import { basename } from './session/viewAs';
import { theme } from './theme';

const queries = new QueryClient({
  queryCache: new QueryCache(),
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
