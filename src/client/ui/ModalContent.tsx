import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';
import { X } from './Icon.tsx';
import { IconButton } from './Button.tsx';
import { useLabels } from './labels.ts';
import { onLight } from './Section.tsx';

export interface ModalContentProps {
  title: string;
  titleId: string;
  onClose: () => void;
  /** Less padding on a phone. */
  isCompact?: boolean;
  children: ReactNode;
}

/** The title bar and the scrolling body of a dialog or a drawer. */
export function ModalContent({ title, titleId, onClose, isCompact = false, children }: ModalContentProps) {
  const { close } = useLabels();
  return (
    <>
      <Bar $isCompact={isCompact}>
        <ModalTitle id={titleId}>{title}</ModalTitle>
        <IconButton type="button" aria-label={close} onClick={onClose}>
          <X />
        </IconButton>
      </Bar>
      {/* Focusable, so that the keyboard can scroll it. */}
      <Body tabIndex={0} aria-labelledby={titleId} $isCompact={isCompact}>
        {children}
      </Body>
    </>
  );
}

/** The buttons of a dialog. They stay in sight at its bottom edge while its content scrolls. */
export const DialogActions = styled.div`
  position: sticky;
  inset-block-end: -1.5rem;
  z-index: 1;
  display: flex;
  flex-wrap: wrap;
  justify-content: flex-end;
  gap: 0.5rem;
  margin: 0 -1.5rem -1.5rem;
  padding: 1rem 1.5rem;
  background: ${token.background};
  border-block-start: 1px solid ${token.line};
`;

/** How a sheet above the page looks. */
export const modalLook = css`
  ${onLight}
  position: fixed;
  z-index: 25;
  display: grid;
  grid-template-rows: auto minmax(0, 1fr);
  max-inline-size: 100%;
  max-block-size: 100dvh;
  padding: 0;
  border: 1px solid ${token.line};
  background: ${token.background};
  overflow: hidden;
`;

/** A sheet in the middle of the window. */
export const dialogLook = css`
  ${modalLook}
  inset: 0;
  inline-size: min(100%, 36rem);
  block-size: fit-content;
  margin: auto;

  ${media.tablet} {
    inline-size: min(100% - 4rem, 36rem);
    max-block-size: min(85dvh, 52rem);
    border-radius: ${token.radius};
  }
`;

const Bar = styled.div<{ $isCompact: boolean }>`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 1rem;
  padding: ${({ $isCompact }) => ($isCompact ? '0.5rem 0.75rem 0.5rem 1.25rem' : '0.75rem 0.75rem 0.75rem 1.5rem')};
  border-block-end: 1px solid ${token.line};

  ${media.tablet} {
    padding-inline-start: 1.5rem;
  }
`;

/** Of three lines at most: a stranger's name must not leave the content without a place. */
const ModalTitle = styled.h2`
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 3;
  overflow: hidden;
  color: ${token.ink};
  font-size: ${token.titleSmall};
  line-height: 1.2;
  overflow-wrap: anywhere;
`;

const Body = styled.section<{ $isCompact: boolean }>`
  overflow-wrap: break-word;
  padding: ${({ $isCompact }) => ($isCompact ? '1.25rem' : '1.5rem')};
  overflow-y: auto;
  overscroll-behavior: contain;

  /* A focused control scrolls to above the buttons. */
  &:has(${DialogActions}) {
    scroll-padding-block-end: 5.5rem;
  }

  ${media.tablet} {
    padding: 1.5rem;
  }
`;
