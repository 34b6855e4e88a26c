import { Button } from '#client/ui/Button.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { ConfirmButtons } from './ConfirmButtons.tsx';
import type { Reassignment } from './useAssignLeads.ts';

const copy = leadCopy.reassign;

/** Says which provider the consent names, and asks whether another one gets the lead anyway. */
export function ReassignDialog({ question, confirm, cancel }: Reassignment) {
  return (
    <Dialog
      open={question !== null}
      // It also runs after a button has answered the question.
      onClose={() => (question === null ? undefined : cancel())}
      title={copy.title(question?.ids.length ?? 1)}
    >
      <p>
        {question?.text} {copy.warning}
      </p>
      <ConfirmButtons>
        <Button variant="quiet" onClick={cancel}>
          {adminCopy.cancel}
        </Button>
        <Button onClick={confirm}>{copy.confirm}</Button>
      </ConfirmButtons>
    </Dialog>
  );
}
