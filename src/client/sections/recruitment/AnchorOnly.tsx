import { styled } from 'styled-components';

/** Keeps the anchor of a section that isn't shown, so that links to it still work. */
export const AnchorOnly = styled.div`
  block-size: 0;
`;
