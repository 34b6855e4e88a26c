import { useRef } from 'react';
import { styled } from 'styled-components';
import { BreakAnywhere, typedLook } from '#client/admin/kit/BreakAnywhere.tsx';
import { Fact, FactList, Facts } from '#client/admin/kit/Facts.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { Instant, useNow } from '#client/admin/kit/RelativeTime.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Row, Stack } from '#client/admin/kit/layout.tsx';
import { token } from '#client/theme/tokens.ts';
import { Drawer } from '#client/ui/Dialog.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { useKeptFocus } from '#client/ui/keptFocus.ts';
import { quarantineReasonNames } from '#shared/admin/leadDetailCopy.ts';
import type { ApplicationDetail } from '#shared/applications/adminApplications.ts';
import { applicationAnswerHours, applicationTexts } from '#shared/brand/application.ts';
import { distanceText } from '#shared/formats/writing.ts';
import { hourMs } from '#shared/formats/time.ts';
import { phoneHref } from '#shared/leads/phone.ts';
import { webHref } from '#shared/providers/tenant.ts';
import { DueNote, PracticeBadges, ReceiptNote, ReleaseButton, StatusSelect } from './applicationColumns.tsx';
import { DecisionButtons } from './DecisionButtons.tsx';
import { NextSteps } from './NextSteps.tsx';
import { applicationCopy } from './copy.ts';

const copy = applicationCopy.drawer;

interface ApplicationDrawerProps {
  id: number;
  canChange: boolean;
  onClose: () => void;
}

/** One application: its answers, what staff decide by, and after its approval what its provider still lacks. */
export function ApplicationDrawer({ id, canChange, onClose }: ApplicationDrawerProps) {
  const { data, error, refetch } = adminApi.admin.applications.get.useQuery({ id });
  const parts = useRef<HTMLDivElement>(null);
  // After a decision, its buttons disappear.
  const kept = useKeptFocus(parts);
  return (
    <Drawer title={data?.application.practice_name ?? applicationCopy.number(id)} onClose={onClose}>
      <Stack ref={parts} $gap="1.75rem" {...kept}>
        <LoadFailure error={error} fallback={copy.failed} onRetry={() => void refetch()} />
        {data === undefined ? error === null && <Waiting /> : <Parted detail={data} canChange={canChange} />}
      </Stack>
    </Drawer>
  );
}

function Parted({ detail, canChange }: { detail: ApplicationDetail; canChange: boolean }) {
  const { application, provider } = detail;
  return (
    <>
      <State detail={detail} canChange={canChange} />
      {provider === null ? null : <NextSteps detail={detail} provider={provider} canChange={canChange} />}
      <Area detail={detail} />
      <Answers application={application} />
    </>
  );
}

/** Where it stands, how long it has waited, and the decision. */
function State({ detail, canChange }: { detail: ApplicationDetail; canChange: boolean }) {
  const { application, answer } = detail;
  const { quarantineReason } = application;
  const now = useNow();
  return (
    <Stack $gap="0.75rem">
      <Row $gap="0.5rem 0.75rem">
        {canChange ? (
          <StatusSelect application={application} />
        ) : (
          applicationCopy.statuses[application.status]
        )}
        <PracticeBadges application={application} />
      </Row>
      {quarantineReason === null ? null : (
        <Row>
          <span>{quarantineReasonNames[quarantineReason]}</span>
          {canChange ? <ReleaseButton application={application} /> : null}
        </Row>
      )}
      {application.dueAt ? <Clock createdAt={application.created_at} now={now} /> : null}
      <DueNote application={application} now={now} />
      {canChange ? <DecisionButtons detail={detail} /> : null}
      {answer === null ? null : (
        <Note>
          {copy.answers[answer.kind][answer.state]}
          {answer.endedAt === null ? null : (
            <>
              {' '}
              <Instant iso={answer.endedAt} />
            </>
          )}
          {answer.reason === null ? null : `: ${answer.reason}`}
        </Note>
      )}
    </Stack>
  );
}

/** The promised hours to scale, with ticks each 24 h; what passed is drawn, amber when the promise is over. */
function Clock({ createdAt, now }: { createdAt: string; now: number }) {
  const hours = Math.max(0, (now - Date.parse(createdAt)) / hourMs);
  const scale = Math.max(applicationAnswerHours, hours);
  const at = (value: number) => `${(100 * value) / scale}%`;
  const ticks = [0, applicationAnswerHours / 2, applicationAnswerHours];
  return (
    <Line
      aria-hidden="true"
      height="12"
      width="100%"
      data-late={hours > applicationAnswerHours ? '' : undefined}
    >
      <line x1="0" x2="100%" y1="6" y2="6" />
      {ticks.map((tick) => (
        <line key={tick} x1={at(tick)} x2={at(tick)} y1="1" y2="11" />
      ))}
      <line className="passed" x1="0" x2={at(hours)} y1="6" y2="6" />
    </Line>
  );
}

function Area({ detail: { nearest, people, isZipKnown } }: { detail: ApplicationDetail }) {
  return (
    <Facts title={copy.area.title}>
      {isZipKnown ? (
        <FactList>
          <Fact name={copy.area.nearest}>
            {nearest === null ? copy.area.none : `${distanceText(nearest.miles)}, ${nearest.name}`}
          </Fact>
          <Fact name={copy.area.demand}>{copy.area.people(people)}</Fact>
        </FactList>
      ) : (
        <p>{copy.area.unknownZip}</p>
      )}
    </Facts>
  );
}

const { labels } = applicationTexts;

function Answers({ application }: { application: ApplicationDetail['application'] }) {
  const { id, contact_name: name, role, email, phone, website, message, receipt } = application;
  const href = webHref(website);
  return (
    <Facts title={copy.answersTitle}>
      <FactList>
        <Fact name={copy.number}>{applicationCopy.number(id)}</Fact>
        <Fact name={copy.contact}>{name}</Fact>
        <Fact name={labels.role}>{role}</Fact>
        <Fact name={labels.email}>
          <a href={`mailto:${email}`}>
            <BreakAnywhere text={email} before="@" />
          </a>
        </Fact>
        <Fact name={labels.phone}>
          <a href={phoneHref(phone)}>{phone}</a>
        </Fact>
        <Fact name={labels.zip_code}>{application.zip_code}</Fact>
        <Fact name={applicationCopy.website}>
          {website === null || href === null ? (
            website
          ) : (
            <a href={href} target="_blank" rel="noopener noreferrer">
              <BreakAnywhere text={website} before="." />
            </a>
          )}
        </Fact>
        <Fact name={applicationCopy.columns.message}>
          {message === null ? null : <Message>{message}</Message>}
        </Fact>
        <Fact name={copy.received}>
          <Instant iso={application.created_at} />
          <ReceiptNote receipt={receipt} />
        </Fact>
      </FactList>
    </Facts>
  );
}

function Waiting() {
  return (
    <>
      <output>{copy.loading}</output>
      <Skeleton $width="60%" />
      <Skeleton $width="90%" />
      <Skeleton $width="75%" />
    </>
  );
}

const Note = styled.p`
  color: ${token.muted};
  font-size: 0.875rem;
`;

const Message = styled.span`
  ${typedLook}
  white-space: pre-line;
`;

const Line = styled.svg`
  display: block;
  max-inline-size: 20rem;
  overflow: visible;
  stroke: ${token.line};
  stroke-width: 1;

  & .passed {
    stroke: ${token.ink};
    stroke-width: 3;
  }

  &[data-late] .passed {
    stroke: ${token.warning};
  }
`;
