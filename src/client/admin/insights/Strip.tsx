import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';

interface StripProps {
  /** Of the strip's length, 0 to 1. */
  share: number;
  /** Where the network's figure is, 0 to 1. */
  mark?: number | null;
}

/** A figure as a line to scale, with a tick for what it is compared with. The text beside it says both. */
export function Strip({ share, mark = null }: StripProps) {
  return (
    <Line aria-hidden="true">
      <i style={{ inlineSize: `${Math.min(1, share) * 100}%` }} />
      {mark === null ? null : <b style={{ insetInlineStart: `${Math.min(1, mark) * 100}%` }} />}
    </Line>
  );
}

const Line = styled.span`
  position: relative;
  display: block;
  min-inline-size: 2.5rem;
  block-size: 7px;
  border-block-end: 1px solid ${token.line};

  & > i,
  & > b {
    position: absolute;
    inset-block-end: -1px;
  }

  & > i {
    inset-inline-start: 0;
    block-size: 3px;
    background: ${token.ink};
  }

  & > b {
    inline-size: 1px;
    block-size: 8px;
    background: ${token.secondary};
  }
`;
