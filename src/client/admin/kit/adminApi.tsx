import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCReact } from '@trpc/react-query';
import { type ReactNode, useState } from 'react';
import { adminLink, type AppRouter, toApiError } from '#client/api/trpc.ts';

/** tRPC hooks for the dashboard. */
export const adminApi = createTRPCReact<AppRouter>();

interface AdminApiProps {
  /** Called when the server rejects a call because the session has ended. */
  onSignedOut: () => void;
  children: ReactNode;
}

/** Queries run once: no retries, no refetch on focus, never stale. Each mutation reloads what it changes. */
export function AdminApiProvider({ onSignedOut, children }: AdminApiProps) {
  const [queryClient] = useState(() => createAdminClient(onSignedOut));
  const [client] = useState(() => adminApi.createClient({ links: [adminLink()] }));
  return (
    <adminApi.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </adminApi.Provider>
  );
}

function createAdminClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown): void => {
    if (toApiError(error).status === 401) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false, staleTime: Infinity },
      mutations: { retry: false },
    },
  });
}
