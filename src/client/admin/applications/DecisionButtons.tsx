import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Row } from '#client/admin/kit/layout.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import type { ApplicationDetail } from '#shared/applications/adminApplications.ts';
import { applicationCopy } from './copy.ts';

const copy = applicationCopy.drawer;

/** Approve and Decline. Each sends one message, which an Undo takes back while it waits. */
export function DecisionButtons({
  detail: { application, answer, provider },
}: {
  detail: ApplicationDetail;
}) {
  const { id, status, practice_name: practice, quarantineReason } = application;
  const undo = adminApi.admin.applications.undo.useMutation(withReport(adminMessages.undoAnswer));
  const takeBack = (): void => undo.mutate({ id, status });
  const approve = adminApi.admin.applications.approve.useMutation(
    withReport({ ...adminMessages.approveApplication, undo: ({ isNew }) => (isNew ? takeBack : null) }),
  );
  const decline = adminApi.admin.applications.decline.useMutation(
    withReport({ ...adminMessages.declineApplication, undo: () => takeBack }),
  );
  const isBusy = approve.isPending || decline.isPending || undo.isPending;
  // A person released it first, or it never was suspicious.
  const isOpen = quarantineReason === null || quarantineReason === 'over-limit';
  if (provider !== null || !isOpen) return null;
  return (
    <Row>
      <ActionButton
        variant="primary"
        isBusy={isBusy}
        aria-label={copy.approveLabel(practice)}
        onClick={() => approve.mutate({ id })}
      >
        {copy.approve}
      </ActionButton>
      {answer?.kind === 'decline' ? null : (
        <ActionButton
          isBusy={isBusy}
          aria-label={copy.declineLabel(practice)}
          onClick={() => decline.mutate({ id })}
        >
          {copy.decline}
        </ActionButton>
      )}
    </Row>
  );
}
