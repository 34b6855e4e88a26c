import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';
import { SmallTitle, NoWrap } from '#client/ui/text.tsx';
import { getStarted, recruitmentCalls } from '#shared/brand/recruitment.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';

/** The steps, as stations on one line. */
export function GetStarted() {
  return (
    <TitledSection copy={getStarted} titleId="get-started-title">
      <Steps>
        {getStarted.steps.map(({ key, title, text }, index) => (
          <Step key={key}>
            <Station aria-hidden="true">{index + 1}</Station>
            <div>
              <SmallTitle>{title}</SmallTitle>
              <p>
                <NoWrap text={text} />
              </p>
            </div>
          </Step>
        ))}
      </Steps>
      <ButtonLink href={`#${providerFormAnchor}`} size="large">
        {recruitmentCalls.start}
      </ButtonLink>
    </TitledSection>
  );
}

const Steps = styled.ol`
  display: grid;
  margin-block: 3rem;

  ${media.tablet} {
    grid-template-columns: repeat(3, minmax(0, 1fr));
  }
`;

/** The line runs down on a phone, across on wider screens, and ends at the last station. */
const Step = styled.li`
  position: relative;
  display: grid;
  grid-template-columns: 3rem minmax(0, 1fr);
  gap: 1.25rem;
  padding-block-end: 2.5rem;

  &:not(:last-child)::before {
    position: absolute;
    inset-block: 3rem 0;
    inset-inline-start: 1.5rem;
    border-inline-start: 2px dotted ${token.accent};
    content: '';
  }

  &:last-child {
    padding-block-end: 0;
  }

  & p {
    max-inline-size: 26rem;
    margin-block-start: 0.5rem;
  }

  ${media.tablet} {
    display: block;
    padding-block-end: 0;
    padding-inline-end: 2rem;

    &:not(:last-child)::before {
      inset-block: 1.5rem auto;
      inset-inline: 3.75rem 0.75rem;
      border-block-start: 2px dotted ${token.accent};
      border-inline-start: 0;
    }

    & h3 {
      margin-block-start: 1.5rem;
    }
  }
`;

const Station = styled.span`
  display: grid;
  place-items: center;
  inline-size: 3rem;
  aspect-ratio: 1;
  border-radius: ${token.pill};
  background: ${token.primary};
  color: ${token.background};
  font-size: ${token.textLarge};
  font-variant-numeric: tabular-nums;
  font-weight: 700;
`;
