import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { gateWords } from '#shared/staffWords.ts';

/** The staff's dashboard: its title with what can be pressed beside it. */
export function Dashboard({ actions }: { actions?: ReactNode }) {
  return (
    <TitleRow>
      <Title>{gateWords.title}</Title>
      {actions}
    </TitleRow>
  );
}

const TitleRow = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 1rem;
`;

const Title = styled.h1`
  font-size: ${token.title};
`;
