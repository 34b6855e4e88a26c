import { styled } from 'styled-components';
import { Link } from 'wouter';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { BreakAnywhere } from '#client/admin/kit/BreakAnywhere.tsx';
import { Fact, FactList, Facts } from '#client/admin/kit/Facts.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { MutedFigures, Stack } from '#client/admin/kit/layout.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { useOpenLead } from '#client/admin/kit/useSearchParams.ts';
import { token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import type { ProviderDetail } from '#shared/admin/adminProviders.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { UnreachableNotice } from '../UnreachableNotice.tsx';
import { providerCopy } from '../copy.ts';
import { buildLeadsHref } from '../leadsHref.ts';
import { pageCopy } from './copy.ts';

const copy = pageCopy.email;

interface ProviderEmailProps {
  detail: ProviderDetail;
  canChange: boolean;
}

/** Whether a provider gets its emails: its address, what its mailbox refused, and the way back. */
export function ProviderEmail({ detail, canChange }: ProviderEmailProps) {
  const { provider, emailConfirmedAt, applicationId, refused } = detail;
  const { id, email, unreachable } = provider;
  return (
    <Facts title={copy.title}>
      <Stack $gap="0.75rem">
        <FactList>
          <Fact name={copy.address}>
            <a href={`mailto:${email}`}>
              <BreakAnywhere text={email} before="@" />
            </a>
          </Fact>
          <Fact name={copy.state}>
            {unreachable !== null ? (
              <Badge tone="danger">{providerCopy.unreachable.title(unreachable)}</Badge>
            ) : refused.total > 0 ? (
              <Badge tone="danger">{copy.refused(refused.total)}</Badge>
            ) : (
              <Badge tone="success">{copy.works}</Badge>
            )}
          </Fact>
          <Fact name={copy.confirmed}>
            {emailConfirmedAt === null ? copy.unconfirmed : <Instant iso={emailConfirmedAt} />}
            {emailConfirmedAt === null && canChange && applicationId !== null ? (
              <SendLink applicationId={applicationId} />
            ) : null}
          </Fact>
        </FactList>
        {unreachable === null ? null : (
          <UnreachableNotice provider={provider} unreachable={unreachable} canSend={canChange} />
        )}
        {refused.total === 0 ? null : <Refused id={id} refused={refused} />}
      </Stack>
    </Facts>
  );
}

/** Of a provider that came from an application: sends the link that confirms its address. */
function SendLink({ applicationId }: { applicationId: number }) {
  const send = adminApi.admin.applications.sendConfirmation.useMutation(withReport(adminMessages.sendLink));
  return (
    <div>
      <ActionButton isBusy={send.isPending} onClick={() => send.mutate({ id: applicationId })}>
        {copy.sendLink}
      </ActionButton>
    </div>
  );
}

function Refused({ id, refused: { total, latest } }: { id: number } & Pick<ProviderDetail, 'refused'>) {
  const { buildHref } = useOpenLead();
  return (
    <div>
      <strong>{copy.refusedTitle}</strong>
      <List>
        {latest.map(({ leadId, at, reason }) => (
          <li key={leadId}>
            <Link href={buildHref(leadId)}>{copy.lead(leadId)}</Link>{' '}
            <MutedFigures>
              <Instant iso={at} />
            </MutedFigures>
            <p>{reason}</p>
          </li>
        ))}
      </List>
      {total > latest.length ? (
        <Link href={buildLeadsHref({ providerId: id, delivery: 'clinic' })}>{copy.all}</Link>
      ) : null}
    </div>
  );
}

const List = styled.ul`
  font-size: 0.9375rem;
  line-height: 1.45;
  overflow-wrap: anywhere;

  & > li {
    padding-block: 0.5rem;
    border-block-end: 1px solid ${token.line};
  }
`;
