import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { token, media } from '#client/theme/tokens.ts';
import { Section, figureLook, NoWrap, VisuallyHidden } from '#client/ui/Section.tsx';
import type { Testimonial } from '#shared/pages/brandContent.ts';
import {
  testimonials,
  offerEndText,
  recruitmentCalls,
  specialOffer as offerCopy,
  timeLeftSentence,
} from '#shared/brand/recruitment.ts';
import { useCopy, usePage, useSite } from '#client/api/tenant.tsx';
import { ButtonLink } from '#client/ui/Button.tsx';
import { CheckList } from '#client/sections/kit/CheckList.tsx';
import { SplitSection } from '#client/sections/kit/SplitSection.tsx';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import { useCountdown, countdownParts } from './useCountdown.ts';

interface TestimonialQuoteProps {
  testimonial: Testimonial | null;
  /** The section after it. */
  children: ReactNode;
}

/** A provider's testimonial and the section after it, which has the anchor of both if the brand has no testimonial. */
export function TestimonialQuote({ testimonial, children }: TestimonialQuoteProps) {
  if (testimonial === null) return <AnchorBefore id={testimonials.id}>{children}</AnchorBefore>;
  return (
    <>
      <Quote testimonial={testimonial} />
      {children}
    </>
  );
}

function Quote({ testimonial: { quote, author, role } }: { testimonial: Testimonial }) {
  return (
    <Section id={testimonials.id} labelledBy="testimonial-label">
      <Figure>
        <figcaption>
          <Label id="testimonial-label">{testimonials.label}</Label>
          <strong>{author}</strong>, {role}
        </figcaption>
        <blockquote>{quote}</blockquote>
      </Figure>
    </Section>
  );
}

const Figure = styled.figure`
  display: grid;
  gap: 1.5rem;
  max-inline-size: 46rem;
  margin: 0 auto;

  & > blockquote {
    order: -1;
    margin: 0;
    color: var(--surface-heading);
    font-size: clamp(${token.titleSmall}, 1rem + 2vw, ${token.titleLarge});
    font-weight: 600;
    letter-spacing: -0.015em;
    line-height: 1.3;
    text-wrap: balance;
  }

  & > blockquote::before {
    content: '“';
  }

  & > blockquote::after {
    content: '”';
  }
`;

const Label = styled.h2`
  margin-block-end: 0.25rem;
  color: var(--surface-accent);
  font-size: 0.9375rem;
  font-weight: 600;
  letter-spacing: 0.01em;
`;

interface AnchorBeforeProps {
  /** Of a section that isn't shown. */
  id: string;
  /** The section after it. */
  children: ReactNode;
}

/** Keeps the anchor of a section that isn't shown: links to it lead to the section after it, not to an empty place. */
function AnchorBefore({ id, children }: AnchorBeforeProps) {
  return <div id={id}>{children}</div>;
}

/** The offer, then a section. An offer that ends by the server's clock disappears and leaves its anchor to that. */
export function SpecialOffer({ children }: { children: ReactNode }) {
  const { isOfferOver } = usePage('recruitment');
  const { offerEndsAt } = useSite();
  const secondsLeft = useCountdown(offerEndsAt);
  if (isOfferOver || (offerEndsAt !== null && secondsLeft === 0))
    return <AnchorBefore id={offerCopy.id}>{children}</AnchorBefore>;
  return (
    <>
      <Offer offerEndsAt={offerEndsAt} secondsLeft={secondsLeft} />
      {children}
    </>
  );
}

function Offer({ offerEndsAt, secondsLeft }: { offerEndsAt: string | null; secondsLeft: number | null }) {
  const specialOffer = useCopy(offerCopy);
  return (
    <SplitSection
      copy={specialOffer}
      titleId="special-offer-title"
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
function Countdown({ secondsLeft }: CountdownProps) {
  const parts = countdownParts(secondsLeft ?? 0);
  return (
    <Timer role="timer" aria-live="off" aria-label={offerCopy.timerLabel} $isKnown={secondsLeft !== null}>
      <VisuallyHidden>{timeLeftSentence(parts.days, parts.hours, parts.minutes)}</VisuallyHidden>
      <Digits aria-hidden="true">
        {units.map((unit) => (
          <span key={unit}>
            <strong>{String(parts[unit]).padStart(2, '0')}</strong>
            {offerCopy.units[unit]}
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
    ${figureLook}
    font-size: clamp(2.25rem, 1.25rem + 4.5vw, 3.5rem);
  }

  ${media.tablet} {
    & > span {
      font-size: ${token.text};
    }
  }
`;
