import { Button } from '#client/ui/Button.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import { ConfirmButtons } from './ConfirmButtons.tsx';
import type { Reassignment } from './useAssignLeads.ts';

/** Asks staff before leads are assigned: how far they go, or that their consent names another provider. */
export function ReassignDialog({ question, confirm, cancel }: Reassignment) {
  return (
    <Dialog
      open={question !== null}
      // It also runs after a button has answered the question.
      onClose={() => (question === null ? undefined : cancel())}
      title={question?.title ?? ''}
    >
      <p>{question?.text}</p>
      <ConfirmButtons>
        <Button variant="quiet" onClick={cancel}>
          {adminCopy.cancel}
        </Button>
        <Button onClick={confirm}>{question?.action}</Button>
      </ConfirmButtons>
    </Dialog>
  );
}
