import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createTRPCReact } from '@trpc/react-query';
import { type ReactNode, useState } from 'react';
import { adminLink, type AppRouter, toApiError } from '#client/api/trpc.ts';
import type { ErrorReason } from '#shared/errorCodes.ts';

/** tRPC hooks for the dashboard. */
export const adminApi = createTRPCReact<AppRouter>();

interface AdminApiProps {
  /** Of the signed-in member. */
  account: string;
  /** Called when the server rejects a call because the session has ended. */
  onSignedOut: () => void;
  /** Called when the server rejects a change because the browser is signed in with another account. */
  onOtherAccount: () => void;
  /** Called after a change. */
  onChanged: () => void;
  children: ReactNode;
}

/**
 * Queries run once: no retries, no refetch on focus, never stale. Each mutation reloads what it changes. Offline, calls
 * fail as they would without a server: a paused one would look like a success.
 */
export function AdminApiProvider({ account, children, ...handlers }: AdminApiProps) {
  const [queryClient] = useState(() => createAdminClient(handlers));
  const [client] = useState(() => adminApi.createClient({ links: [adminLink(undefined, account)] }));
  return (
    <adminApi.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </adminApi.Provider>
  );
}

const otherAccount: ErrorReason = 'other-account';

function createAdminClient({
  onSignedOut,
  onOtherAccount,
  onChanged,
}: Pick<AdminApiProps, 'onSignedOut' | 'onOtherAccount' | 'onChanged'>): QueryClient {
  const onError = (error: unknown): void => {
    const { status, reason } = toApiError(error);
    if (status === 401) onSignedOut();
    if (reason === otherAccount) onOtherAccount();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError, onSuccess: onChanged }),
    defaultOptions: {
      queries: {
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: Infinity,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
