import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import { CircleAlert } from './Icon.tsx';

export interface AlertProps {
  title: string;
  message: string;
  /** Actions. */
  children?: ReactNode;
}

/** An error; announced when it appears. */
export function Alert({ title, message, children }: AlertProps) {
  return (
    <Box role="alert" $tone="danger">
      <Message title={title} message={message} />
      {children}
    </Box>
  );
}

/** Something needs attention; the surrounding live region announces it. */
export function Warning(copy: Pick<AlertProps, 'title' | 'message'>) {
  return (
    <Box $tone="warning">
      <Message {...copy} />
    </Box>
  );
}

interface WarningLineProps {
  text: string;
  /** An action. */
  children?: ReactNode;
  className?: string;
}

/** A sentence that needs attention, for an `output` element, which announces it. */
export function WarningLine({ text, children, className }: WarningLineProps) {
  return (
    <Line as="span" $tone="warning" className={className}>
      <CircleAlert />
      <span>{text}</span>
      {children}
    </Line>
  );
}

function Message({ title, message }: Pick<AlertProps, 'title' | 'message'>) {
  return (
    <>
      <CircleAlert />
      <div>
        <AlertTitle>{title}</AlertTitle>
        <p>{message}</p>
      </div>
    </>
  );
}

const Box = styled.div<{ $tone: 'danger' | 'warning' }>`
  --tone: ${({ $tone }) => token[$tone]};

  display: grid;
  grid-template-columns: auto minmax(0, 1fr) auto;
  align-items: center;
  gap: 0.75rem;
  padding: 0.75rem 1rem;
  border: 0 solid var(--tone);
  border-block-width: 1px;
  background: ${token.background};
  color: var(--tone);
  line-height: 1.4;

  & > svg {
    inline-size: 1.25rem;
  }
`;

const Line = styled(Box)`
  display: flex;
  flex-wrap: wrap;
  font-weight: 600;
  overflow-wrap: anywhere;

  & > svg {
    flex: none;
  }

  & > span {
    flex: 1 1 12rem;
  }
`;

const AlertTitle = styled.p`
  font-weight: 700;
`;
