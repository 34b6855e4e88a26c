import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import { ModalContent, modalLook } from './Dialog.tsx';

interface DrawerProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A sheet from the right on the browser's own `<dialog>`; render it only while it is open. Focus stays inside and
 * returns to its previous place; Esc, the button and a press outside close it.
 */
export function Drawer({ title, onClose, children }: DrawerProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const isDrawn = useRef(false);
  const titleId = useId();
  // Close it before it is removed from the page: removed while open, it would not return the focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    isDrawn.current = true;
    return () => {
      isDrawn.current = false;
      dialog?.close();
    };
  }, []);
  return (
    <Sheet
      ref={ref}
      aria-labelledby={titleId}
      data-drawer=""
      closedby="any"
      onClose={({ currentTarget, target }) => {
        // The event comes late, when the sheet may be gone, and also for dialogs that close inside it.
        if (isDrawn.current && target === currentTarget && !currentTarget.open) onClose();
      }}
    >
      <ModalContent title={title} titleId={titleId} onClose={() => ref.current?.close()} isCompact>
        {children}
      </ModalContent>
    </Sheet>
  );
}

const Sheet = styled.dialog`
  ${modalLook}
  inset: 0 0 0 auto;
  inline-size: min(100%, 34rem);
  block-size: 100dvh;

  &[open] {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
  }

  &::backdrop {
    background: color-mix(in srgb, ${token.ink} 35%, transparent);
  }

  @media (prefers-reduced-motion: no-preference) {
    transition: transform ${token.transition};

    @starting-style {
      transform: translateX(2rem);
    }
  }
`;
