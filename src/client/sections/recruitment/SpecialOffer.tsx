import { styled } from 'styled-components';
import { usePage, useSite } from '#client/api/tenant.tsx';
import { media } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Check } from '#client/ui/Icon.tsx';
import { Eyebrow, Lead, Section, Title } from '#client/ui/Section.tsx';
import {
  applicationAnchor,
  offerEndText,
  recruitmentCalls,
  specialOffer,
} from '#shared/brand/recruitment.ts';
import { NoWrap } from '#client/ui/NoWrap.tsx';
import { AnchorOnly } from './AnchorOnly.tsx';
import { Countdown } from './Countdown.tsx';
import { useCountdown } from './useCountdown.ts';

/** The offer and the time left. Where it has a real end it goes with it, by the server's clock. */
export function SpecialOffer() {
  const { isOfferOver } = usePage('recruitment');
  const { offerEndsAt } = useSite();
  const secondsLeft = useCountdown(offerEndsAt);
  if (isOfferOver || (offerEndsAt !== null && secondsLeft === 0)) return <AnchorOnly id={specialOffer.id} />;
  return (
    <Section id={specialOffer.id} tone="dark" labelledBy="special-offer-title">
      <Columns>
        <div>
          <Eyebrow>{specialOffer.eyebrow}</Eyebrow>
          <Title id="special-offer-title">{specialOffer.title}</Title>
          <Lead>{specialOffer.lead}</Lead>
          <Points>
            {specialOffer.points.map((point) => (
              <li key={point}>
                <Check strokeWidth={2.25} />
                <span>
                  <NoWrap text={point} />
                </span>
              </li>
            ))}
          </Points>
        </div>
        <Clock>
          <Countdown secondsLeft={secondsLeft} />
          {offerEndsAt === null ? null : (
            <p>
              {specialOffer.endsOn} <time dateTime={offerEndsAt}>{offerEndText(offerEndsAt)}</time>
            </p>
          )}
          <ButtonLink href={`#${applicationAnchor}`} size="large">
            {recruitmentCalls.apply}
          </ButtonLink>
        </Clock>
      </Columns>
    </Section>
  );
}

const Columns = styled.div`
  display: grid;
  gap: 3rem;

  ${media.desktop} {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: 5rem;
    align-items: center;
  }
`;

const Points = styled.ul`
  margin-block-start: 2rem;

  & > li {
    display: grid;
    grid-template-columns: 1.25rem minmax(0, 1fr);
    gap: 0.875rem;
    padding-block: 0.75rem;
    line-height: 1.5;
  }

  & > li > svg {
    inline-size: 1.25rem;
    block-size: 1.5rem;
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
