import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { withReport } from '#client/admin/kit/reports.ts';

/** The tokens of scripts, loaded each time the tab is opened. */
export function useTokens() {
  return adminApi.apiTokens.list.useQuery(undefined, { refetchOnMount: 'always' });
}

function useRefreshTokens(): () => Promise<void> {
  const utils = adminApi.useUtils();
  return () => utils.apiTokens.list.invalidate();
}

/** The result contains the secret, so it is not cached. The form reports failures. */
export function useCreateToken() {
  const refresh = useRefreshTokens();
  return adminApi.apiTokens.create.useMutation({ ...withReport({ refresh }), gcTime: 0 });
}

/** The form reports the result. */
export function useRevokeToken() {
  const refresh = useRefreshTokens();
  return adminApi.apiTokens.revoke.useMutation(withReport({ refresh }));
}
