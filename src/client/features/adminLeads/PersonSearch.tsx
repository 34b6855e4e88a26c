import type { ReactNode } from 'react';
import { failureText } from '#client/features/admin/reports.ts';
import { Alert } from '#client/ui/Alert.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { adminWords } from '#shared/adminWords.ts';
import type { PersonLead } from '#shared/persons.ts';
import { personWords as words } from '#shared/personWords.ts';
import { usePerson } from './usePerson.ts';

interface PersonSearchProps {
  leadId: number;
  children: (person: readonly PersonLead[]) => ReactNode;
}

/** Draws what is to be done with a person once their leads are found. */
export function PersonSearch({ leadId, children }: PersonSearchProps) {
  const { data, error } = usePerson(leadId);
  if (error !== null)
    return <Alert title={adminWords.error} message={failureText(error, words.findFailed)} />;
  if (data === undefined)
    return (
      <>
        <output>{words.loading}</output>
        <Skeleton $width="80%" />
      </>
    );
  return children(data);
}
