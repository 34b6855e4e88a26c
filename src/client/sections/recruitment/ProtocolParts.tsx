import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { LineDrawing } from '#client/sections/kit/LineDrawing.tsx';
import { explainer } from '#shared/brand/recruitment.ts';

/** Drawings of the four parts of the protocol. */
export function ProtocolParts() {
  return (
    <Parts>
      {explainer.parts.map(({ key, title, drawing }) => (
        <li key={key}>
          <LineDrawing viewBox="0 0 144 128">
            {drawing.map(({ tone, path }) => (
              <path key={path} className={tone} d={path} />
            ))}
          </LineDrawing>
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
  }
`;
