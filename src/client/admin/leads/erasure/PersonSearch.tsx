import type { ReactNode } from 'react';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import type { PersonLead } from '#shared/admin/erasure.ts';
import { personCopy as copy } from './copy.ts';
import { usePerson } from './usePerson.ts';

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
