import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';
import { messages } from '#shared/brand/messages.ts';
import { X } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import { onLight } from './Section.tsx';

interface DrawerProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A sheet from the right on the browser's own `<dialog>`; draw it while it is open. Focus stays inside and returns to where it was; Esc, the
 * button and a press beside it close it.
 */
export function Drawer({ title, onClose, children }: DrawerProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const isDrawn = useRef(false);
  const titleId = useId();
  // Before the sheet leaves the page: taken out while open it would forget to give the focus back.
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
      closedby="any"
      onClose={({ currentTarget, target }) => {
        // Told late, when it may be gone already, and of what closes inside it as well.
        if (isDrawn.current && target === currentTarget && !currentTarget.open) onClose();
      }}
    >
      <Bar>
        <DrawerTitle id={titleId}>{title}</DrawerTitle>
        <IconButton type="button" aria-label={messages.close} onClick={() => ref.current?.close()}>
          <X />
        </IconButton>
      </Bar>
      {/* Focusable, so that the keyboard can scroll it. */}
      <Body tabIndex={0} aria-labelledby={titleId}>
        {children}
      </Body>
    </Sheet>
  );
}

const Sheet = styled.dialog`
  ${onLight}
  inset: 0 0 0 auto;
  inline-size: min(100%, 34rem);
  max-inline-size: 100%;
  block-size: 100dvh;
  max-block-size: 100dvh;
  margin: 0;
  padding: 0;
  border: 0;
  background: ${token.background};
  box-shadow: ${token.shadow};
  overflow: hidden;

  &[open] {
    display: grid;
    grid-template-rows: auto minmax(0, 1fr);
  }

  &::backdrop {
    background: color-mix(in srgb, ${token.shade} 35%, transparent);
  }

  @media (prefers-reduced-motion: no-preference) {
    transition: transform ${token.transition};

    @starting-style {
      transform: translateX(2rem);
    }
  }
`;

const Bar = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 1rem;
  padding: 0.5rem 0.75rem 0.5rem 1.25rem;
  border-block-end: 1px solid ${token.line};

  ${media.tablet} {
    padding-inline-start: 1.5rem;
  }
`;

const DrawerTitle = styled.h2`
  color: ${token.primary};
  font-size: ${token.titleSmall};
  line-height: 1.2;
  overflow-wrap: anywhere;
`;

const Body = styled.section`
  padding: 1.25rem;
  overflow-y: auto;
  overscroll-behavior: contain;

  ${media.tablet} {
    padding: 1.5rem;
  }
`;
