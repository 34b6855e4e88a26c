import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { paths } from '#shared/pages/paths.ts';

/** The bar above the sign-in form, and above the dashboard while it loads. */
export function StaffBar({ mark, children }: { mark: ReactNode; children?: ReactNode }) {
  return (
    <Bar>
      <Home href={paths.home}>{mark}</Home>
      {children}
    </Bar>
  );
}

const Bar = styled.header`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.5rem 1.5rem;
  min-block-size: 3.5rem;
  padding-block-end: 0.5rem;
  border-block-end: 1px solid ${token.line};
  color: var(--surface-muted);
  font-size: 0.9375rem;
  overflow-wrap: anywhere;
`;

const Home = styled.a`
  display: grid;
  align-content: center;
  min-block-size: 2.75rem;
  color: var(--surface-heading);

  & > svg {
    inline-size: 7.25rem;
  }
`;
