import { useState } from 'react';
import { styled } from 'styled-components';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import type { LeadDetail } from '#shared/admin/adminLeads.ts';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';
import { stopDecisions, type TaskDecision } from '#shared/admin/staffTasks.ts';
import { callText, type TaskCopy, taskCopy, taskDecisionNames } from '#shared/admin/taskCopy.ts';
import { phoneHref } from '#shared/leads/phone.ts';
import { ConfirmButtons } from '../ConfirmButtons.tsx';

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
  const decide = (decision: TaskDecision): void =>
    complete.isPending ? undefined : complete.mutate({ id: task.id, decision });
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
      <At>
        <Instant iso={task.created_at} />
      </At>
      {canDecide ? (
        <Choice>
          {stop === null ? null : (
            <Button variant="secondary" size="small" onClick={() => setIsConfirming(true)}>
              {taskDecisionNames[stop]}
            </Button>
          )}
          <Button
            variant="secondary"
            size="small"
            aria-disabled={complete.isPending}
            onClick={() => decide(otherwise)}
          >
            {taskDecisionNames[otherwise]}
          </Button>
        </Choice>
      ) : null}
      {stop === null ? null : (
        <Dialog open={isConfirming} onClose={close} title={copy.stopTitle ?? copy.title}>
          <p>{copy.stopText}</p>
          <ConfirmButtons>
            <Button variant="quiet" onClick={close}>
              {adminCopy.cancel}
            </Button>
            <Button aria-disabled={complete.isPending} onClick={() => decide(stop)}>
              {complete.isPending ? adminCopy.busy : taskDecisionNames[stop]}
            </Button>
          </ConfirmButtons>
        </Dialog>
      )}
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

const At = styled.p`
  color: ${token.muted};
  font-size: 0.875rem;
  font-variant-numeric: tabular-nums;
`;

const Choice = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  margin-block-start: 0.75rem;
`;
