import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';

const rail = `1.5px solid ${token.ink}`;

/**
 * A list as one span with a tick per item: down on narrow screens, across on wide ones. It ends at the last item's
 * tick.
 */
export const Stations = styled.ol<{ $count: 3 | 4 }>`
  display: grid;
  margin-block: 1.5rem;

  & > li {
    position: relative;
    min-inline-size: 0;
    padding: 0 0 1.25rem 1.75rem;
  }

  & > li:last-child {
    padding-block-end: 0;
  }

  & > li::before,
  & > li::after {
    position: absolute;
    content: '';
  }

  & > li::before {
    inset-block: 0.75rem -0.75rem;
    inset-inline-start: 7px;
    border-inline-start: ${rail};
  }

  & > li:last-child::before {
    display: none;
  }

  & > li::after {
    inset-block-start: 0.75rem;
    inset-inline-start: 0;
    inline-size: 15px;
    border-block-start: ${rail};
  }

  & p:last-child {
    max-inline-size: 26rem;
    margin-block-start: 0.375rem;
  }

  ${media.desktop} {
    grid-template-columns: repeat(${({ $count }) => $count}, minmax(0, 1fr));
    margin-block: 2.5rem;

    & > li {
      padding: 1.75rem 2rem 0 0;
    }

    & > li::before {
      inset: 7px 0 auto;
      border-inline-start: 0;
      border-block-start: ${rail};
    }

    & > li::after {
      inset-block-start: 0;
      inline-size: 0;
      block-size: 15px;
      border-block-start: 0;
      border-inline-start: ${rail};
    }
  }
`;
