import { styled } from 'styled-components';
import { Button } from '#client/ui/Button.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import type { Reassignment } from './useAssignLeads.ts';

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  text: string | undefined;
  /** On the button. */
  action: string | undefined;
  /** The confirmed change is pending. */
  isBusy?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks staff before a change. */
export function ConfirmDialog({
  open,
  title,
  text,
  action,
  isBusy = false,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <p>{text}</p>
      <Buttons>
        <Button variant="quiet" onClick={onClose}>
          {adminCopy.cancel}
        </Button>
        <Button aria-disabled={isBusy} onClick={isBusy ? undefined : onConfirm}>
          {isBusy ? adminCopy.busy : action}
        </Button>
      </Buttons>
    </Dialog>
  );
}

/** Asks how far leads may go, or about their consent, which names another provider. */
export function ReassignDialog({ question, confirm, cancel }: Reassignment) {
  return (
    <ConfirmDialog
      open={question !== null}
      title={question?.title ?? ''}
      text={question?.text}
      action={question?.action}
      onConfirm={confirm}
      onClose={cancel}
    />
  );
}

const Buttons = styled.div`
  display: flex;
  flex-wrap: wrap;
  justify-content: flex-end;
  gap: 0.5rem;
  margin-block-start: 1.5rem;
`;
