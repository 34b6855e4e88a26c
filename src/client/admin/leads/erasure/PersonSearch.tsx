import type { ReactNode } from 'react';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import type { PersonLead } from '#shared/admin/erasure.ts';
import { personCopy as copy, personCopy } from './copy.ts';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportDone } from '#client/admin/kit/reports.ts';
import { toApiError } from '#client/api/trpc.ts';

interface PersonSearchProps {
  leadId: number;
  children: (person: readonly PersonLead[]) => ReactNode;
}

/** Renders its children once the person's leads are found. */
export function PersonSearch({ leadId, children }: PersonSearchProps) {
  const { data, error, refetch } = usePerson(leadId);
  const failure = <LoadFailure error={error} fallback={copy.findFailed} onRetry={() => void refetch()} />;
  if (data === undefined)
    return error === null ? (
      <>
        <output>{copy.loading}</output>
        <Skeleton $width="80%" />
      </>
    ) : (
      failure
    );
  // After a failed reload, the form keeps its values.
  return (
    <>
      {failure}
      {children(data)}
    </>
  );
}

/** All leads of a lead's person, never from the cache: another lead may have arrived. */
function usePerson(leadId: number) {
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
