import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { instantHint, instantText } from '#client/admin/kit/times.ts';
import { token } from '#client/theme/tokens.ts';
import { leadCopy, leadDetailCopy as copy } from '#shared/admin/leadCopy.ts';
import { personCopy } from '../erasure/copy.ts';
import { useRestoreLead } from '../useLeadChanges.ts';

interface DeletedNoticeProps {
  leadId: number;
  deletedAt: string;
  /** When the person was erased, which can't be undone; null: the lead was only deleted. */
  erasedAt: string | null;
  canRestore: boolean;
  /** The button is about to disappear: the focus must move. */
  onRestored: () => void;
}

/** Why a lead is read-only, and the button that restores it. */
export function DeletedNotice({ leadId, deletedAt, erasedAt, canRestore, onRestored }: DeletedNoticeProps) {
  const restore = useRestoreLead(onRestored);
  if (erasedAt !== null)
    return (
      <Box aria-label={personCopy.erased}>
        <p title={instantHint(erasedAt)}>{personCopy.erasedNotice(instantText(erasedAt))}</p>
      </Box>
    );
  return (
    <Box aria-label={copy.deleted}>
      <p title={instantHint(deletedAt)}>{copy.deletedNotice(instantText(deletedAt))}</p>
      {canRestore ? (
        <ActionButton isBusy={restore.isPending} onClick={() => restore.mutate({ id: leadId })}>
          {leadCopy.restore}
        </ActionButton>
      ) : null}
    </Box>
  );
}

const Box = styled.section`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.75rem;
  padding: 0.75rem 1rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.tint};
  line-height: 1.4;
`;
