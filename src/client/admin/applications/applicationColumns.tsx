import { useRef } from 'react';
import { styled } from 'styled-components';
import { Link } from 'wouter';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { BreakAnywhere, Typed, typedLook } from '#client/admin/kit/BreakAnywhere.tsx';
import type { Column } from '#client/admin/kit/DataTable.tsx';
import { LongText } from '#client/admin/kit/LongText.tsx';
import { RelativeTime } from '#client/admin/kit/RelativeTime.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { dayText, instantHint, nearText } from '#client/admin/kit/times.ts';
import { media, token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { CircleAlert, Clock, ShieldAlert } from '#client/ui/Icon.tsx';
import { Select } from '#client/ui/Select.tsx';
import { wholeLine } from '#client/ui/Table.tsx';
import { adminMessages } from '#shared/admin/copy.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import type { AdminApplication } from '#shared/applications/adminApplications.ts';
import { applicationStatuses } from '#shared/applications/applications.ts';
import { hourMs } from '#shared/formats/time.ts';
import { phoneHref } from '#shared/leads/phone.ts';
import { applicationCopy } from './copy.ts';

const { columns: headers, statuses } = applicationCopy;
const statusOptions = applicationStatuses.map((value) => ({ value, label: statuses[value] }));

interface ColumnContext {
  now: number;
  canChange: boolean;
  buildHref: (id: number) => string;
}

export function applicationColumns({ now, canChange, buildHref }: ColumnContext): Column<AdminApplication>[] {
  return [
    {
      key: 'practice',
      header: headers.practice,
      isRowHeader: true,
      Cell: PracticeHeader,
      cell: (application) => <Practice application={application} href={buildHref(application.id)} />,
    },
    {
      key: 'contact',
      header: headers.contact,
      Cell: Contact,
      cell: ({ contact_name: name, role, email, phone, receipt }) => (
        <>
          <Typed>
            {name}, {role}
          </Typed>
          <Muted>
            <a href={`mailto:${email}`}>
              <BreakAnywhere text={email} before="@" />
            </a>
            <a href={phoneHref(phone)}>{phone}</a>
          </Muted>
          <ReceiptNote receipt={receipt} />
        </>
      ),
    },
    { key: 'zip', header: headers.zip, cell: (application) => <Typed>{application.zip_code}</Typed> },
    {
      key: 'date',
      header: headers.date,
      Cell: DateCell,
      cell: (application) => (
        <div>
          <RelativeTime iso={application.created_at} now={now} />
          <DueNote application={application} now={now} />
        </div>
      ),
    },
    {
      key: 'message',
      header: headers.message,
      Cell: Message,
      cell: ({ message, practice_name: practice }) =>
        message === null ? null : <LongText text={message} of={applicationCopy.messageOf(practice)} />,
    },
    {
      key: 'status',
      header: headers.status,
      Cell: Status,
      cell: (application) =>
        canChange ? (
          <>
            <StatusSelect application={application} />
            {application.quarantineReason === null ? null : <ReleaseButton application={application} />}
          </>
        ) : (
          statuses[application.status]
        ),
    },
  ];
}

function Practice({ application, href }: { application: AdminApplication; href: string }) {
  const { id, practice_name: practice, website } = application;
  return (
    <>
      <Name href={href} aria-label={applicationCopy.open(practice)}>
        {practice}
      </Name>{' '}
      <ApplicationNumber>{applicationCopy.number(id)}</ApplicationNumber>{' '}
      <PracticeBadges application={application} />
      {website === null ? null : (
        <Muted>
          <span>
            <BreakAnywhere text={website} before="." />
          </span>
        </Muted>
      )}
    </>
  );
}

/** What is suspicious about it. */
export function PracticeBadges({ application }: { application: AdminApplication }) {
  const { quarantineReason, filledHoneypot } = application;
  if (quarantineReason === null)
    return filledHoneypot ? <Badge tone="warning">{leadCopy.badges.filledHoneypot}</Badge> : null;
  return quarantineReason === 'over-limit' ? (
    <Badge tone="warning">
      <Clock />
      {applicationCopy.overLimit}
    </Badge>
  ) : (
    <Badge tone="danger">
      <ShieldAlert />
      {applicationCopy.quarantined}
    </Badge>
  );
}

export function StatusSelect({ application }: { application: AdminApplication }) {
  const { id, status, practice_name: practice } = application;
  const before = useRef(status);
  const restore = adminApi.admin.applications.setStatus.useMutation(
    withReport(adminMessages.saveApplication),
  );
  const setStatus = adminApi.admin.applications.setStatus.useMutation(
    withReport({
      ...adminMessages.saveApplication,
      undo: () => {
        const previous = before.current;
        return () => restore.mutate({ id, status: previous });
      },
    }),
  );
  return (
    <Select
      label={applicationCopy.statusOf(practice)}
      isLabelHidden
      isSavedAtOnce
      options={statusOptions}
      value={setStatus.isPending ? setStatus.variables.status : status}
      onChoose={(value) => {
        const chosen = applicationStatuses.find((one) => one === value);
        if (chosen === undefined) return;
        before.current = status;
        setStatus.mutate({ id, status: chosen });
      }}
    />
  );
}

export function ReleaseButton({
  application: { id, practice_name: practice },
}: {
  application: AdminApplication;
}) {
  const release = adminApi.admin.applications.release.useMutation(
    withReport(adminMessages.releaseApplication),
  );
  return (
    <ActionButton
      variant="quiet"
      aria-label={applicationCopy.releaseOf(practice)}
      isBusy={release.isPending}
      onClick={() => release.mutate({ id })}
    >
      {applicationCopy.release}
    </ActionButton>
  );
}

const Muted = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0 0.75rem;
  color: ${token.muted};
  font-size: 0.8125rem;
  overflow-wrap: anywhere;

  & a {
    min-block-size: 1.5rem;
    padding-block: 0.1875rem;

    ${media.touch} {
      display: grid;
      align-content: center;
      min-inline-size: 2.75rem;
      min-block-size: 2.75rem;
    }
  }
`;

const Name = styled(Link)`
  ${typedLook}
  min-block-size: 1.5rem;
  color: ${token.ink};
  font-weight: 600;

  ${media.touch} {
    display: grid;
    align-content: center;
    min-block-size: 2.75rem;
  }
`;

const ApplicationNumber = styled.span`
  color: ${token.muted};
  font-size: 0.8125rem;
  font-weight: 400;
`;

const PracticeHeader = styled.th`
  min-inline-size: 6rem;
`;

/** Two or three short lines on a tablet, so that the status is not cut. */
const DateCell = styled.td`
  min-inline-size: 5.5rem;

  @media (max-width: 63.98em) {
    & time {
      white-space: normal;
    }
  }
`;

/** An address or number that fits on a line is not broken. */
const Contact = styled.td`
  min-inline-size: 10.5rem;

  @container (width < 30rem) {
    ${wholeLine}
  }

  & a[href^='tel:'] {
    white-space: nowrap;
  }
`;

/** As wide as its longest choice. */
const Status = styled.td`
  min-inline-size: 8.5rem;
`;

const Message = styled.td`
  min-inline-size: 6rem;
  max-inline-size: 22rem;
  font-size: 0.875rem;
  overflow-wrap: anywhere;
`;

const { due: dueCopy, receipt: receiptCopy } = applicationCopy;
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
          <Badge tone="warning">
            <CircleAlert />
            {dueCopy.overdue(leftMs < -yearShownMs ? dayText(dueAt) : nearText(dueAt))}
          </Badge>
        ) : (
          <Badge>
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
