import { styled } from 'styled-components';

/** Keeps the address of a section that isn't shown, so that a link to it still leads to its place. */
export const AnchorOnly = styled.div`
  block-size: 0;
`;
