import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import { loadedInAdvance } from './loadedOnPress.tsx';
import { dialogLook, modalLook } from './ModalContent.tsx';

const Modal = loadedInAdvance(async () => (await import('./Modal.tsx')).Modal);

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** Near the top of the window, so that it doesn't move while its height changes. */
  isAtTop?: boolean;
  children: ReactNode;
}

/** A sheet in the middle of the dashboard's window (`Modal`). Visitors' pages have `PageDialog`. */
export function Dialog({ open, isAtTop = false, ...content }: DialogProps) {
  return open ? <Modal {...content} sheet={<DialogSheet $isAtTop={isAtTop} />} shade={55} /> : null;
}

interface DrawerProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A sheet from the right (`Modal`); render it only while it is open. */
export function Drawer(content: DrawerProps) {
  return <Modal {...content} sheet={<DrawerSheet data-drawer="" />} shade={35} isCompact />;
}

const DialogSheet = styled.div<{ $isAtTop: boolean }>`
  ${dialogLook}

  ${({ $isAtTop }) =>
    $isAtTop &&
    css`
      margin-block-start: min(8dvh, 5rem);
    `}
`;

const DrawerSheet = styled.div`
  ${modalLook}
  inset: 0 0 0 auto;
  inline-size: min(100%, 34rem);
  block-size: 100dvh;

  @media (prefers-reduced-motion: no-preference) {
    transition: transform ${token.transition};

    @starting-style {
      transform: translateX(2rem);
    }
  }
`;
