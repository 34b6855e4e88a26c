import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { formCopy } from '#client/admin/kit/copy.ts';
import { withReport } from '#client/admin/kit/reports.ts';
import type { StaffAccount } from '#shared/admin/access.ts';
import { teamCopy } from './copy.ts';

/** The named accounts, loaded each time the tab is opened. */
export function useAccounts() {
  return adminApi.admin.accounts.list.useQuery(undefined, { refetchOnMount: 'always' });
}

function useRefreshAccounts(): () => Promise<void> {
  const utils = adminApi.useUtils();
  return () => utils.admin.accounts.list.invalidate();
}

/** Reports in one line, as the dialogs do. */
export function useSetRole({ name }: StaffAccount) {
  const refresh = useRefreshAccounts();
  return adminApi.admin.accounts.setRole.useMutation(
    withReport({ done: teamCopy.roleChanged(name), failed: formCopy.failed, isOneLine: true, refresh }),
  );
}

/** The form reports the result, also below. */
export function useCreateAccount() {
  const refresh = useRefreshAccounts();
  return adminApi.admin.accounts.create.useMutation(withReport({ refresh }));
}

export function useSetPassword() {
  const refresh = useRefreshAccounts();
  return adminApi.admin.accounts.setPassword.useMutation(withReport({ refresh }));
}

export function useRemoveAccount() {
  const refresh = useRefreshAccounts();
  return adminApi.admin.accounts.remove.useMutation(withReport({ refresh }));
}

/** The tokens of scripts, loaded each time the tab is opened. */
export function useTokens() {
  return adminApi.admin.apiTokens.list.useQuery(undefined, { refetchOnMount: 'always' });
}

function useRefreshTokens(): () => Promise<void> {
  const utils = adminApi.useUtils();
  return () => utils.admin.apiTokens.list.invalidate();
}

/** The result contains the secret, so it is not cached. The form reports failures. */
export function useCreateToken() {
  const refresh = useRefreshTokens();
  return adminApi.admin.apiTokens.create.useMutation({ ...withReport({ refresh }), gcTime: 0 });
}

/** The form reports the result. */
export function useRevokeToken() {
  const refresh = useRefreshTokens();
  return adminApi.admin.apiTokens.revoke.useMutation(withReport({ refresh }));
}
