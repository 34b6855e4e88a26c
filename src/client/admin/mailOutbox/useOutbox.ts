import { keepPreviousData } from '@tanstack/react-query';
import { adminApi } from '#client/admin/kit/adminApi.tsx';

/** A page of messages, newest first; asked for anew whenever the tab is opened. */
export function useOutbox(before: string | undefined) {
  return adminApi.mailOutbox.list.useQuery(before === undefined ? {} : { before }, {
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
}

export function useOutboxMessage(name: string) {
  return adminApi.mailOutbox.get.useQuery({ name });
}

/** Whether messages end in the outbox; false until that is known, and for whoever may not look into it. */
export function useHasOutbox(mayLook: boolean): boolean {
  return adminApi.mailOutbox.list.useQuery({}, { enabled: mayLook }).data?.inUse ?? false;
}
