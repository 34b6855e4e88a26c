import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { usePage, useSite } from '#client/api/tenant.tsx';
import { ButtonLink } from '#client/ui/Button.tsx';
import { CheckList } from '#client/sections/kit/CheckList.tsx';
import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import { offerEndText, recruitmentCalls, specialOffer, timeLeftSentence } from '#shared/brand/recruitment.ts';
import { NoWrap, VisuallyHidden } from '#client/ui/text.tsx';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import { AnchorBefore } from './TestimonialQuote.tsx';
import { useCountdown, countdownParts } from './useCountdown.ts';
import { media, token } from '#client/theme/tokens.ts';

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

function Offer({ offerEndsAt, secondsLeft }: { offerEndsAt: string | null; secondsLeft: number | null }) {
  return (
    <SplitSection
      copy={specialOffer}
      titleId="special-offer-title"
      tone="dark"
      layout="even"
      stackGap="3rem"
      aside={<Points items={specialOffer.points} render={(text) => <NoWrap text={text} />} />}
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

const units = ['days', 'hours', 'minutes', 'seconds'] as const;

interface CountdownProps {
  /** Null until it is known. Its space is reserved. */
  secondsLeft: number | null;
}

/** The time left in digits. Screen readers find a sentence without the seconds, which isn't announced. */
export function Countdown({ secondsLeft }: CountdownProps) {
  const parts = countdownParts(secondsLeft ?? 0);
  return (
    <Timer role="timer" aria-live="off" aria-label={specialOffer.timerLabel} $isKnown={secondsLeft !== null}>
      <VisuallyHidden>{timeLeftSentence(parts.days, parts.hours, parts.minutes)}</VisuallyHidden>
      <Digits aria-hidden="true">
        {units.map((unit) => (
          <span key={unit}>
            <strong>{String(parts[unit]).padStart(2, '0')}</strong>
            {specialOffer.units[unit]}
          </span>
        ))}
      </Digits>
    </Timer>
  );
}

const Timer = styled.div<{ $isKnown: boolean }>`
  visibility: ${({ $isKnown }) => ($isKnown ? 'visible' : 'hidden')};
`;

const Digits = styled.div`
  display: grid;
  grid-template-columns: repeat(4, minmax(0, 1fr));

  & > span {
    display: grid;
    gap: 0.5rem;
    justify-items: center;
    color: var(--surface-muted);
    font-size: 0.875rem;
    line-height: 1.2;
  }

  & > span + span {
    border-inline-start: 1px solid var(--surface-line);
  }

  & strong {
    color: var(--surface-heading);
    font-size: clamp(2.25rem, 1.25rem + 4.5vw, 3.5rem);
    font-variant-numeric: tabular-nums;
    letter-spacing: -0.03em;
    line-height: 1;
  }

  ${media.tablet} {
    & > span {
      font-size: ${token.text};
    }
  }
`;
