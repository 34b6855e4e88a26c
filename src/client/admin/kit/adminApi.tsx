import {
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import { createTRPCReact } from '@trpc/react-query';
import type { inferRouterInputs } from '@trpc/server';
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
  /** Asks the member to prove who they are, for a call that needs it. False: they didn't. */
  confirm: () => Promise<boolean>;
  children: ReactNode;
}

/**
 * Queries run once: no retries, no refetch on focus, never stale. Each mutation reloads what it changes. Offline, calls
 * fail as they would without a server: a paused one would look like a success.
 */
export function AdminApiProvider({ account, confirm, children, ...handlers }: AdminApiProps) {
  const [queryClient] = useState(() => createAdminClient(handlers));
  const [client] = useState(() =>
    adminApi.createClient({ links: [adminLink(undefined, { account, confirm })] }),
  );
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
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({
      onError,
      onSuccess: onChanged,
      onSettled: (_data, _error, _input, _context, { options: { mutationKey = [] } }) =>
        reload(client, mutationKey),
    }),
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
  return client;
}

type Inputs = inferRouterInputs<AppRouter>;
type RouterName = 'sync' | `admin.${keyof Inputs['admin']}`;

const leadsAndDeliveries = ['admin.leads', 'admin.deliveries', 'admin.alerts', 'admin.setup'] as const;

/**
 * What a change may affect, by the router of its procedure; left out, only what its own router lists. A person's search
 * is recorded in the audit log: it's repeated only where the form needs it. Lists of providers are long.
 */
const affected: Partial<Record<RouterName | 'admin.providers.checkDomain', readonly RouterName[]>> = {
  'admin.leads': leadsAndDeliveries,
  'admin.outcomes': leadsAndDeliveries,
  'admin.suppressions': leadsAndDeliveries,
  'admin.tasks': leadsAndDeliveries,
  'admin.deliveries': leadsAndDeliveries,
  'admin.webhooks': ['admin.webhooks', 'admin.deliveries'],
  'admin.applications': ['admin.applications', 'admin.providers', 'admin.alerts'],
  'admin.providers': ['admin.providers', 'admin.applications', 'admin.alerts', 'admin.setup'],
  'admin.ownProviders': ['sync', 'admin.providers', 'admin.applications', 'admin.alerts', 'admin.setup'],
  'admin.providers.checkDomain': [],
  'admin.accounts': ['admin.accounts', 'admin.secondFactor'],
  'admin.personalData': [],
  'admin.claims': ['admin.claims', 'admin.alerts'],
  sync: ['sync', 'admin.providers'],
};

/**
 * Reloads what a change may have affected, also after a failure. The mutation is pending until then. Providers, which
 * count their leads, reload when they are next shown.
 */
async function reload(client: QueryClient, mutationKey: readonly unknown[]): Promise<void> {
  const [path] = mutationKey;
  if (!Array.isArray(path)) return;
  const router = path.slice(0, -1);
  const known = new Map<string, readonly string[]>(Object.entries(affected));
  const names = known.get(path.join('.')) ?? known.get(router.join('.')) ?? [router.join('.')];
  const isTotal = ({ queryKey: [procedure] }: Query): boolean => String(procedure) === 'admin,leads,total';
  // Counting many leads takes seconds: nobody waits for it.
  void client.invalidateQueries({ predicate: (query) => names.includes('admin.leads') && isTotal(query) });
  await Promise.all(
    names.map((name) =>
      client.invalidateQueries({ queryKey: [name.split('.')], predicate: (query) => !isTotal(query) }),
    ),
  );
  if (names.includes('admin.leads') && !names.includes('admin.providers'))
    await client.invalidateQueries({ queryKey: [['admin', 'providers']], refetchType: 'none' });
}
