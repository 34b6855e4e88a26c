import { useCopy } from '#client/api/tenant.tsx';
import { PageDialog } from './PageDialog.tsx';
import { claims } from '#shared/brand/claims.ts';
import { studyNote } from '#shared/brand/calls.ts';
import type { Claim } from '#shared/claims/claim.ts';
import { SmallTitle } from '#client/ui/Section.tsx';
import { StudyFacts } from './StudyFacts.tsx';

export interface StudyDialogProps {
  claim: string;
  onClose: () => void;
}

/** What is known about the study of one claim, in a modal. */
export function StudyDialog({ claim, onClose }: StudyDialogProps) {
  // A brand may have none.
  const all: readonly Claim[] = claims;
  const found = all.find(({ id }) => id === claim);
  const text = useCopy(found?.text ?? '');
  return (
    <PageDialog onClose={onClose} title={studyNote.more}>
      <SmallTitle as="p">{text}</SmallTitle>
      {found?.study == null ? null : <StudyFacts study={found.study} />}
    </PageDialog>
  );
}
