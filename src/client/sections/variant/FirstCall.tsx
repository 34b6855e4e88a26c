import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { TitledSection } from '#client/sections/kit/TitledSection.tsx';
import { SmallTitle } from '#client/ui/text.tsx';
import { firstCall } from '#shared/brand/variant.ts';

/** What happens in a first call, in order. */
export function FirstCall() {
  return (
    <TitledSection copy={firstCall} titleId="first-call-title" tone="dark">
      <Timeline>
        {firstCall.moments.map(({ title, text }) => (
          <li key={title}>
            <SmallTitle>{title}</SmallTitle>
            <p>{text}</p>
          </li>
        ))}
      </Timeline>
    </TitledSection>
  );
}

/** A line through time: down on a phone, across on a desktop. */
const Timeline = styled.ol`
  display: grid;
  gap: 2rem;
  margin-block-start: 3rem;

  & > li {
    position: relative;
    padding-inline-start: 2rem;
  }

  & > li::before {
    position: absolute;
    inset-block-start: 0.4rem;
    inset-inline-start: 0;
    inline-size: 0.875rem;
    aspect-ratio: 1;
    border: 2px solid ${token.accent};
    border-radius: ${token.pill};
    content: '';
  }

  & > li:not(:last-child)::after {
    position: absolute;
    inset-block: 1.6rem -2rem;
    inset-inline-start: 0.375rem;
    border-inline-start: 2px solid var(--surface-line);
    content: '';
  }

  & p {
    margin-block-start: 0.5rem;
  }

  ${media.desktop} {
    grid-template-columns: repeat(4, minmax(0, 1fr));

    & > li {
      padding: 2rem 0 0;
    }

    & > li::before {
      inset-block-start: 0;
    }

    & > li:not(:last-child)::after {
      inset-block: 0.375rem auto;
      inset-inline: 1.375rem -1.5rem;
      border-block-start: 2px solid var(--surface-line);
      border-inline-start: 0;
    }
  }
`;
