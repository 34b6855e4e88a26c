import { keepPreviousData } from '@tanstack/react-query';
import { adminApi } from '#client/admin/kit/adminApi.tsx';

/** A page of messages, newest first, loaded each time the tab is opened. */
export function useUnsentMail(before: string | undefined) {
  return adminApi.admin.unsentMail.list.useQuery(before === undefined ? {} : { before }, {
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
}

export function useUnsentMessage(name: string) {
  return adminApi.admin.unsentMail.get.useQuery({ name });
}

/** Whether messages go to the folder; false while that loads, and for staff who may not read it. */
export function useHasUnsentMail(mayRead: boolean): boolean {
  return adminApi.admin.unsentMail.list.useQuery({}, { enabled: mayRead }).data?.inUse ?? false;
}
