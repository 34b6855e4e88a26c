import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { explainer } from '#shared/brand/recruitment.ts';

/** The four parts of the protocol, drawn. */
export function ProtocolParts() {
  return (
    <Parts>
      {explainer.parts.map(({ key, title, drawing }) => (
        <li key={key}>
          <svg viewBox="0 0 144 128" aria-hidden="true">
            {drawing.map(({ tone, path }) => (
              <path key={path} className={tone} d={path} />
            ))}
          </svg>
          <span>{title}</span>
        </li>
      ))}
    </Parts>
  );
}

const Parts = styled.ul`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 0.75rem;

  ${media.tablet} {
    gap: 1rem;
  }

  & > li {
    display: grid;
    justify-items: center;
    gap: 0.75rem;
    padding: 1.25rem 0.75rem 1.5rem;
    border-radius: ${token.radius};
    background: ${token.tint};
    color: ${token.primary};
    font-weight: 600;
    line-height: 1.3;
    text-align: center;
  }

  & svg {
    inline-size: min(100%, 8.5rem);
    fill: none;
    stroke: ${token.primary};
    stroke-linecap: round;
    stroke-linejoin: round;
    stroke-width: 2;
  }

  & .ground {
    fill: ${token.background};
  }

  & .light {
    stroke: ${token.accent};
    stroke-width: 2.5;
  }

  @media (forced-colors: active) {
    & svg {
      stroke: CanvasText;
    }

    & .ground {
      fill: Canvas;
    }

    & .light {
      stroke: Highlight;
    }
  }
`;
