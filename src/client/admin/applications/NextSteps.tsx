import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Link } from 'wouter';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { ActivateProvider } from '#client/admin/kit/ActionForm.tsx';
import { BreakAnywhere } from '#client/admin/kit/BreakAnywhere.tsx';
import { Facts } from '#client/admin/kit/Facts.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { media, token } from '#client/theme/tokens.ts';
import { Check, CircleAlert } from '#client/ui/Icon.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { adminMessages } from '#shared/admin/copy.ts';
import { buildProviderHref } from '#shared/admin/adminProviders.ts';
import type { ApplicationDetail } from '#shared/applications/adminApplications.ts';
import { applicationCopy } from './copy.ts';

const copy = applicationCopy.steps;

type Provider = NonNullable<ApplicationDetail['provider']>;

interface NextStepsProps {
  detail: ApplicationDetail;
  provider: Provider;
  canChange: boolean;
}

/** What the provider of an approved application has and lacks, with a way to each, and its activation. */
export function NextSteps({ detail, provider, canChange }: NextStepsProps) {
  const { id, name, email, emailConfirmedAt, isActive, isSynced } = provider;
  const { zipCode, locationSource, npi, hasAbout, hasHours } = provider;
  const settings = buildProviderHref(id, 'settings');
  const details = canChange && !isSynced ? buildProviderHref(id, 'details') : null;
  const missing = [hasAbout ? null : copy.about, hasHours ? null : copy.hours].filter(
    (text) => text !== null,
  );
  return (
    <Facts title={copy.title}>
      <List>
        <Step isDone={emailConfirmedAt !== null} name={copy.email} href={details}>
          <BreakAnywhere text={email} before="@" />{' '}
          {emailConfirmedAt === null ? (
            copy.unconfirmed
          ) : (
            <>
              {copy.confirmed} <Instant iso={emailConfirmedAt} />
            </>
          )}
          {emailConfirmedAt === null && canChange ? <SendAgain detail={detail} /> : null}
        </Step>
        <Step
          isDone={locationSource !== null && locationSource !== 'prefix'}
          name={copy.address}
          href={details}
        >
          {copy.located(zipCode)[locationSource ?? 'nowhere']}
        </Step>
        <Step isDone={npi !== null} name={copy.npi} href={canChange && npi === null ? settings : null}>
          {npi ?? copy.npiMissing}
        </Step>
        <Step
          isDone={missing.length === 0}
          name={copy.texts}
          href={canChange && missing.length > 0 ? settings : null}
        >
          {missing.length === 0 ? copy.complete : copy.missing(missing)}
        </Step>
      </List>
      {canChange && !isSynced && !isActive ? <p>{copy.optional}</p> : null}
      {canChange && !isSynced ? (
        <ActivateProvider
          provider={{ id, name, email, isActive }}
          isConfirmed={emailConfirmedAt !== null}
          isPrimary={locationSource !== null}
        />
      ) : null}
    </Facts>
  );
}

interface StepProps {
  isDone: boolean;
  name: string;
  /** Where staff complete it; null if there is nothing to complete. */
  href?: string | null;
  children: ReactNode;
}

function Step({ isDone, name, href = null, children }: StepProps) {
  return (
    <li data-done={isDone ? '' : undefined}>
      {isDone ? <Check /> : <CircleAlert />}
      <div>
        <strong>{name}</strong>
        <VisuallyHidden>{isDone ? copy.done : copy.open}</VisuallyHidden>
        <div>{children}</div>
      </div>
      {href === null ? null : (
        <StepLink href={href} aria-label={copy.editLabel(name)}>
          {copy.edit}
        </StepLink>
      )}
    </li>
  );
}

function SendAgain({ detail: { application, answer } }: { detail: ApplicationDetail }) {
  const send = adminApi.admin.applications.sendConfirmation.useMutation(withReport(adminMessages.sendLink));
  // It is on its way.
  if (answer?.state === 'waiting') return null;
  return (
    <div>
      <ActionButton isBusy={send.isPending} onClick={() => send.mutate({ id: application.id })}>
        {copy.sendAgain}
      </ActionButton>
    </div>
  );
}

const List = styled.ul`
  display: grid;
  margin: 0 0 1rem;
  padding: 0;
  list-style: none;
  font-size: 0.9375rem;
  line-height: 1.45;

  & > li {
    display: grid;
    grid-template-columns: 1.25rem minmax(0, 1fr) auto;
    gap: 0.5rem;
    padding-block: 0.5rem;
    border-block-end: 1px solid ${token.line};
  }

  & > li > svg {
    inline-size: 1rem;
    block-size: 1rem;
    margin-block-start: 0.25rem;
    color: ${token.warning};
  }

  & > li[data-done] > svg {
    color: ${token.success};
  }

  & strong {
    font-weight: 600;
  }
`;

const StepLink = styled(Link)`
  align-self: center;
  min-block-size: 1.5rem;

  ${media.touch} {
    display: grid;
    align-content: center;
    min-inline-size: 2.75rem;
    min-block-size: 2.75rem;
  }
`;
