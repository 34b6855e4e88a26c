import { useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { MutedFigures } from '#client/admin/kit/layout.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { instantHint, instantText } from '#client/admin/kit/times.ts';
import { token } from '#client/theme/tokens.ts';
import type { LeadDetail } from '#shared/admin/leadDetail.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { leadDetailCopy as deletedCopy } from '#shared/admin/leadDetailCopy.ts';
import { stopDecisions } from '#shared/admin/staffTasks.ts';
import { callText, type TaskCopy, taskCopy, taskDecisionNames } from '#shared/admin/taskCopy.ts';
import { phoneHref } from '#shared/leads/phone.ts';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { personCopy } from '../erasure/copy.ts';
import { useRestoreLead } from '../useLeadChanges.ts';
import { workCopy } from './copy.ts';

interface StaffTaskNoticeProps {
  task: LeadDetail['tasks'][number];
  /** The clinic's, for a task whose answer is a call. */
  providerPhone: LeadDetail['providerPhone'];
  canDecide: boolean;
}

/** A task about a lead: staff decide whether the person is still contacted, or say that it is done. */
export function StaffTaskNotice({ task, providerPhone, canDecide }: StaffTaskNoticeProps) {
  const copy: TaskCopy = taskCopy[task.kind];
  const stop = stopDecisions[task.kind];
  const otherwise = stop === null ? 'done' : 'keep-serving';
  const [isConfirming, setIsConfirming] = useState(false);
  const close = (): void => setIsConfirming(false);
  const { stopped, kept, failed } = adminMessages.task;
  const complete = adminApi.admin.tasks.complete.useMutation(
    withReport({
      done: (_, { decision }) => (decision === 'keep-serving' ? kept : stopped),
      failed,
      onDone: close,
    }),
  );
  return (
    <Notice aria-label={copy.title}>
      <strong>{copy.title}</strong>
      <p>
        {copy.reason} {copy.text}
      </p>
      {copy.callsClinic === true && providerPhone !== null ? (
        <p>
          <a href={phoneHref(providerPhone)}>{callText(providerPhone)}</a>
        </p>
      ) : null}
      <MutedFigures as="p">
        <Instant iso={task.created_at} />
      </MutedFigures>
      {canDecide ? (
        <Choice>
          {stop === null ? null : (
            <ActionButton onClick={() => setIsConfirming(true)}>{taskDecisionNames[stop]}</ActionButton>
          )}
          <ActionButton
            isBusy={complete.isPending}
            onClick={() => complete.mutate({ id: task.id, decision: otherwise })}
          >
            {taskDecisionNames[otherwise]}
          </ActionButton>
        </Choice>
      ) : null}
      {stop === null ? null : (
        <ConfirmDialog
          open={isConfirming}
          title={copy.stopTitle ?? copy.title}
          text={copy.stopText}
          action={taskDecisionNames[stop]}
          isBusy={complete.isPending}
          onConfirm={() => complete.mutate({ id: task.id, decision: stop })}
          onClose={close}
        />
      )}
    </Notice>
  );
}

/** The consent names another provider than the one that has the lead. */
export function NamedOtherNotice({ provider }: { provider: string }) {
  const title = workCopy.otherNamed(provider);
  return (
    <Notice aria-label={title}>
      <strong>{title}</strong>
      <p>{workCopy.otherNamedText}</p>
    </Notice>
  );
}

const Notice = styled.section`
  padding: 0.75rem 1rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.tint};
  line-height: 1.4;
`;

const Choice = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  margin-block-start: 0.75rem;
`;

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
    <Box aria-label={deletedCopy.deleted}>
      <p title={instantHint(deletedAt)}>{deletedCopy.deletedNotice(instantText(deletedAt))}</p>
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
