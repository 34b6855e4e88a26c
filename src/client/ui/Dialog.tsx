import { type ReactNode, useEffect, useId, useRef } from 'react';
import { styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';
import { messages } from '#shared/brand/messages.ts';
import { X } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import { onLight } from './Section.tsx';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
}

/**
 * A modal on the browser's own `<dialog>`: focus stays inside and returns to where it was, Esc, the button and a press beside it close it.
 * The page behind keeps its place (GlobalStyle locks it and keeps the scrollbar's gutter).
 */
export function Dialog({ open, onClose, title, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null || dialog.open === open) return;
    if (open) dialog.showModal();
    else dialog.close();
  }, [open]);
  return (
    <Sheet ref={ref} aria-labelledby={titleId} closedby="any" onClose={onClose}>
      {open ? (
        <Layout>
          <Bar>
            <DialogTitle id={titleId}>{title}</DialogTitle>
            <IconButton type="button" aria-label={messages.close} onClick={() => ref.current?.close()}>
              <X />
            </IconButton>
          </Bar>
          {/* Focusable, so that the keyboard can scroll it. */}
          <Body tabIndex={0} aria-labelledby={titleId}>
            {children}
          </Body>
        </Layout>
      ) : null}
    </Sheet>
  );
}

const Sheet = styled.dialog`
  ${onLight}
  inline-size: min(100%, 36rem);
  max-inline-size: 100%;
  max-block-size: 100dvh;
  margin: auto;
  padding: 0;
  border: 0;
  background: ${token.background};
  box-shadow: ${token.shadow};
  overflow: hidden;

  &::backdrop {
    background: color-mix(in srgb, ${token.shade} 55%, transparent);
  }

  ${media.tablet} {
    inline-size: min(100% - 4rem, 36rem);
    max-block-size: min(85dvh, 52rem);
    border-radius: ${token.radius};
  }
`;

const Layout = styled.div`
  display: grid;
  grid-template-rows: auto minmax(0, 1fr);
  max-block-size: inherit;
`;

const Bar = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 1rem;
  padding: 0.75rem 0.75rem 0.75rem 1.5rem;
  border-block-end: 1px solid ${token.line};
`;

const DialogTitle = styled.h2`
  color: ${token.primary};
  font-size: ${token.titleSmall};
  line-height: 1.2;
`;

const Body = styled.section`
  padding: 1.5rem;
  overflow-y: auto;
  overscroll-behavior: contain;
`;
