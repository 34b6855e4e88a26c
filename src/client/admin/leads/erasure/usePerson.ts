import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { toApiError } from '#client/api/trpc.ts';
import { showToast } from '#client/ui/Toast.tsx';
import { personCopy } from './copy.ts';

/** All leads of whoever left this one, as they are now: another may have come since it was asked last. */
export function usePerson(leadId: number) {
  return adminApi.persons.find.useQuery({ leadId }, { staleTime: 0, gcTime: 0 });
}

/** `onErased`: at once, before whatever shows the leads is asked for anew. What it is refused is said by the form. */
export function useErasePerson(onErased: () => void) {
  const utils = adminApi.useUtils();
  return adminApi.persons.erase.useMutation({
    // Another lead came. Whatever else it failed for leaves the leads as they were shown.
    onError: (error) => (toApiError(error).status === 409 ? utils.persons.find.invalidate() : undefined),
    onSuccess: async ({ leadIds }) => {
      onErased();
      showToast({ title: personCopy.done(leadIds.length), tone: 'success' });
      await Promise.all([
        utils.adminLeads.invalidate(),
        utils.adminProviders.list.invalidate(undefined, { refetchType: 'none' }),
      ]);
    },
  });
}
