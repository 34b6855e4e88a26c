import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportDone } from '#client/admin/kit/reports.ts';
import { toApiError } from '#client/api/trpc.ts';
import { personCopy } from './copy.ts';

/** All leads of a lead's person, never from the cache: another lead may have arrived. */
export function usePerson(leadId: number) {
  return adminApi.admin.personalData.find.useQuery({ leadId }, { staleTime: 0, gcTime: 0 });
}

/** `onErased` runs before the leads are reloaded. The form reports failures. */
export function useErasePerson(onErased: () => void) {
  const utils = adminApi.useUtils();
  return adminApi.admin.personalData.erase.useMutation({
    // 409: another lead arrived. After any other failure the leads stay as shown.
    onError: (error) =>
      toApiError(error).status === 409 ? utils.admin.personalData.find.invalidate() : undefined,
    onSuccess: async ({ leadIds }) => {
      onErased();
      reportDone(personCopy.done(leadIds.length));
      await Promise.all([
        utils.admin.leads.invalidate(),
        utils.admin.providers.list.invalidate(undefined, { refetchType: 'none' }),
      ]);
    },
  });
}
