import { styled } from 'styled-components';
import { dayText, instantHint, nearText } from '#client/admin/kit/times.ts';
import { token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { CircleAlert, Clock } from '#client/ui/Icon.tsx';
import type { AdminApplication } from '#shared/applications/adminApplications.ts';
import { hourMs } from '#shared/formats/time.ts';
import { applicationCopy } from './copy.ts';

const { due: dueCopy, receipt: receiptCopy } = applicationCopy;
/** The last hours before an application is due are marked. */
const soonMs = 24 * hourMs;
/** Dates further back have a year. */
const yearShownMs = 90 * 24 * hourMs;

interface DueNoteProps {
  application: Pick<AdminApplication, 'created_at' | 'dueAt'>;
  now: number;
}

/** How long an unanswered application has waited, and until when it is due. Nothing for another one. */
export function DueNote({ application: { created_at: createdAt, dueAt }, now }: DueNoteProps) {
  // A process of 1.0.1 sends neither this nor the receipt.
  if (!dueAt) return null;
  const leftMs = Date.parse(dueAt) - now;
  return (
    <Note>
      {dueCopy.waiting(Math.max(0, now - Date.parse(createdAt)))}{' '}
      <time dateTime={dueAt} title={instantHint(dueAt)}>
        {leftMs <= 0 ? (
          <Badge tone="danger">
            <CircleAlert />
            {dueCopy.overdue(leftMs < -yearShownMs ? dayText(dueAt) : nearText(dueAt))}
          </Badge>
        ) : (
          <Badge tone={leftMs <= soonMs ? 'warning' : 'neutral'}>
            <Clock />
            {dueCopy.dueIn(leftMs)}
          </Badge>
        )}
      </time>
    </Note>
  );
}

/** What became of the applicant's receipt. Nothing if there is none. */
export function ReceiptNote({ receipt }: Pick<AdminApplication, 'receipt'>) {
  if (!receipt) return null;
  const { state, reason } = receipt;
  return (
    <Note>
      {receiptCopy[state]}
      {reason === null ? null : `: ${reason}`}
    </Note>
  );
}

const Note = styled.div`
  /* On a tablet, the badge has two lines rather than cut the last column. */
  & > time > span {
    white-space: normal;
  }

  @media (max-width: 63.98em) {
    & > time {
      display: block;
      max-inline-size: 10rem;
    }
  }

  margin-block-start: 0.25rem;
  color: ${token.muted};
  font-size: 0.8125rem;
  line-height: 1.4;
`;
