import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { usePage, useSite } from '#client/api/tenant.tsx';
import { ButtonLink } from '#client/ui/Button.tsx';
import { CheckList } from '#client/sections/kit/CheckList.tsx';
import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import { offerEndText, recruitmentCalls, specialOffer } from '#shared/brand/recruitment.ts';
import { NoWrap } from '#client/ui/text.tsx';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import { AnchorBefore } from './AnchorBefore.tsx';
import { Countdown } from './Countdown.tsx';
import { useCountdown } from './useCountdown.ts';

/**
 * The offer with the time left, and the section after it. An offer with a real end disappears then, by the server's
 * clock, and leaves its anchor to that section.
 */
export function SpecialOffer({ children }: { children: ReactNode }) {
  const { isOfferOver } = usePage('recruitment');
  const { offerEndsAt } = useSite();
  const secondsLeft = useCountdown(offerEndsAt);
  if (isOfferOver || (offerEndsAt !== null && secondsLeft === 0))
    return <AnchorBefore id={specialOffer.id}>{children}</AnchorBefore>;
  return (
    <>
      <Offer offerEndsAt={offerEndsAt} secondsLeft={secondsLeft} />
      {children}
    </>
  );
}

interface OfferProps {
  offerEndsAt: string | null;
  secondsLeft: number | null;
}

function Offer({ offerEndsAt, secondsLeft }: OfferProps) {
  return (
    <SplitSection
      copy={specialOffer}
      titleId="special-offer-title"
      tone="dark"
      layout="even"
      stackGap="3rem"
      aside={<Points items={specialOffer.points} render={renderPoint} />}
    >
      <Clock>
        <Countdown secondsLeft={secondsLeft} />
        {offerEndsAt === null ? null : (
          <p>
            {specialOffer.endsOn} <time dateTime={offerEndsAt}>{offerEndText(offerEndsAt)}</time>
          </p>
        )}
        <ButtonLink href={`#${providerFormAnchor}`} size="large">
          {recruitmentCalls.apply}
        </ButtonLink>
      </Clock>
    </SplitSection>
  );
}

function renderPoint(point: string) {
  return (
    <span>
      <NoWrap text={point} />
    </span>
  );
}

const Points = styled(CheckList)`
  margin-block-start: 2rem;

  & > li {
    gap: 0.875rem;
    padding-block: 0.75rem;
  }
`;

const Clock = styled.div`
  display: grid;
  gap: 1.75rem;
  padding-block: 2rem;
  border-block: 1px solid var(--surface-line);

  & > p {
    color: var(--surface-muted);
    text-align: center;
  }
`;
