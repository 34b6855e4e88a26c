import { keepPreviousData } from '@tanstack/react-query';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportFailure, reportSuccess } from '#client/admin/kit/reports.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import type { ApplicationView } from './applicationSearchParams.ts';

/** One page of applications, newest first; the one before stays while it comes. */
export function useApplicationList({ status, page }: ApplicationView) {
  return adminApi.adminApplications.list.useQuery({ status, page }, { placeholderData: keepPreviousData });
}

export function useSetApplicationStatus() {
  const utils = adminApi.useUtils();
  return adminApi.adminApplications.setStatus.useMutation({
    onSuccess: () => reportSuccess(adminMessages.saveApplication.done),
    onError: (error) => reportFailure(error, adminMessages.saveApplication.failed),
    onSettled: () => utils.adminApplications.list.invalidate(),
  });
}
