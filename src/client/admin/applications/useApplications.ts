import { keepPreviousData } from '@tanstack/react-query';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import type { ApplicationSearch } from '#shared/applications/adminApplications.ts';

/** The leads' filters have the plain names in the same URL. */
export const applicationPrefix = 'application';

/** One page of applications, newest first. The page before stays until the next one arrives. */
export function useApplicationList(search: ApplicationSearch) {
  return adminApi.admin.applications.list.useQuery(search, { placeholderData: keepPreviousData });
}

export function useSetApplicationStatus() {
  const utils = adminApi.useUtils();
  return adminApi.admin.applications.setStatus.useMutation(
    withReport({
      ...adminMessages.saveApplication,
      refresh: () => utils.admin.applications.list.invalidate(),
    }),
  );
}

export function useReleaseApplication() {
  const utils = adminApi.useUtils();
  return adminApi.admin.applications.release.useMutation(
    withReport({
      ...adminMessages.releaseApplication,
      refresh: () => utils.admin.applications.list.invalidate(),
    }),
  );
}
