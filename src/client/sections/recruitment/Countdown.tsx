import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { VisuallyHidden } from '#client/ui/text.tsx';
import { specialOffer, timeLeftSentence } from '#shared/brand/recruitment.ts';
import { countdownParts } from './useCountdown.ts';

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
    font-weight: 700;
    letter-spacing: -0.03em;
    line-height: 1;
  }

  ${media.tablet} {
    & > span {
      font-size: ${token.text};
    }
  }
`;
