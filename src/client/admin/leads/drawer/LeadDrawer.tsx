import { useEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { useStaff } from '#client/admin/kit/staffContext.tsx';
import { Drawer } from '#client/ui/Dialog.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { adminMessages } from '#shared/admin/copy.ts';
import { leadDetailCopy } from '#shared/admin/leadDetailCopy.ts';
import { includesRole } from '#shared/admin/staff.ts';
import { leadName } from '../copy.ts';
import { PersonSection } from '../erasure/PersonSection.tsx';
import { DeletedNotice, NamedOtherNotice, StaffTaskNotice } from './Notices.tsx';
import { DrawerActions, OutcomeSection } from './DrawerActions.tsx';
import { DrawerHead, isLeaving } from './DrawerHead.tsx';
import { AttributionSection, HistorySection, RepeatsSection } from './HistorySection.tsx';
import { ConsentSection, ContactSection, MatchSection } from './LeadFacts.tsx';
import { NotesSection } from './NotesSection.tsx';
import { SuppressionPanel } from './Suppression.tsx';

/** How often it looks whether the clinic has the email. */
const sendingMs = 2_000;

interface LeadDrawerProps {
  id: number;
  canChange: boolean;
  buildHref: (id: number) => string;
  onClose: () => void;
}

/** The drawer of one lead, where staff work with it. */
export function LeadDrawer({ id, canChange, buildHref, onClose }: LeadDrawerProps) {
  // The audit log records each request: never prefetch it.
  const { data, error, refetch, dataUpdatedAt } = adminApi.admin.leads.get.useQuery(
    { id },
    {
      refetchInterval: ({ state }) =>
        isLeaving(state.data?.lead.providerDelivery ?? null, Date.now()) ? sendingMs : false,
    },
  );
  const isOwner = includesRole(useStaff().role, 'owner');
  const sections = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Runs after each render: the button that gets the focus back from its dialog may have disappeared.
    if (document.activeElement === document.body) sections.current?.focus();
  });
  const erasedAt = data?.erasedAt;
  const erasedBefore = useRef(erasedAt);
  useEffect(() => {
    // The form is at the end of the drawer, its result at the top.
    if (erasedBefore.current === null && typeof erasedAt === 'string')
      sections.current?.scrollIntoView({ block: 'start' });
    erasedBefore.current = erasedAt;
  }, [erasedAt]);
  const isChangeable = canChange && data?.deletedAt === null;
  const title = data === undefined ? leadDetailCopy.number(id) : leadName(data.lead);
  return (
    <Drawer title={title} onClose={onClose}>
      <Sections ref={sections} tabIndex={-1}>
        <DrawerHead id={id} detail={data} loadedAt={dataUpdatedAt} content={sections} />
        <LoadFailure error={error} fallback={adminMessages.leadFailed} onRetry={() => void refetch()} />
        {data === undefined && error === null ? <Waiting /> : null}
        {data === undefined ? null : (
          <>
            {data.deletedAt === null ? (
              canChange && <DrawerActions detail={data} />
            ) : (
              <DeletedNotice
                leadId={id}
                deletedAt={data.deletedAt}
                erasedAt={data.erasedAt}
                canRestore={canChange}
                onRestored={() => sections.current?.focus()}
              />
            )}
            {data.isSuppressed ? (
              <SuppressionPanel leadId={id} suppression={data.suppression} canLift={isOwner} />
            ) : null}
            {data.tasks.map((task) => (
              <StaffTaskNotice
                key={task.id}
                task={task}
                providerPhone={data.providerPhone}
                canDecide={isChangeable}
              />
            ))}
            {data.consent?.namesOther === true && data.consent.provider !== null ? (
              <NamedOtherNotice provider={data.consent.provider} />
            ) : null}
            {data.erasedAt === null ? <NotesSection detail={data} canChange={isChangeable} /> : null}
            <HistorySection detail={data} />
            <RepeatsSection detail={data} buildHref={buildHref} />
            <MatchSection key={id} detail={data} canAssign={isChangeable} />
            <OutcomeSection lead={data.lead} canRecord={isChangeable} />
            {data.erasedAt === null ? (
              <ContactSection detail={data} canCorrect={isChangeable && !data.isSuppressed} />
            ) : null}
            <ConsentSection consent={data.consent} />
            <AttributionSection attribution={data.attribution} />
            {isOwner && data.erasedAt === null ? <PersonSection leadId={id} /> : null}
          </>
        )}
      </Sections>
    </Drawer>
  );
}

function Waiting() {
  return (
    <>
      <output>{leadDetailCopy.loading}</output>
      <Skeleton $width="60%" />
      <Skeleton $width="90%" />
      <Skeleton $width="75%" />
    </>
  );
}

const Sections = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.75rem;
  scroll-margin-block-start: 1.5rem;

  /* It gets the focus after a button disappears, and shows no outline. */
  &:focus {
    outline: none;
  }
`;
