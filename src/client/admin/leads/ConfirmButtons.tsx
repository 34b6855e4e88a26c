import { styled } from 'styled-components';

/** The buttons of a confirmation dialog. */
export const ConfirmButtons = styled.div`
  display: flex;
  flex-wrap: wrap;
  justify-content: flex-end;
  gap: 0.5rem;
  margin-block-start: 1.5rem;
`;
