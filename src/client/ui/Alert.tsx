import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import { CircleAlert } from './Icon.tsx';

export interface AlertProps {
  title: string;
  message: string;
  /** What can be done about it. */
  children?: ReactNode;
}

/** Something went wrong here; announced when it appears. */
export function Alert({ title, message, children }: AlertProps) {
  return (
    <Box role="alert">
      <CircleAlert />
      <div>
        <AlertTitle>{title}</AlertTitle>
        <p>{message}</p>
      </div>
      {children}
    </Box>
  );
}

const Box = styled.div`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr) auto;
  align-items: center;
  gap: 0.75rem;
  padding: 0.75rem 1rem;
  border: 1px solid ${token.danger};
  border-radius: ${token.radius};
  background: color-mix(in srgb, ${token.danger} 5%, #ffffff);
  color: ${token.danger};
  line-height: 1.4;

  & > svg {
    inline-size: 1.25rem;
  }
`;

const AlertTitle = styled.p`
  font-weight: 700;
`;
