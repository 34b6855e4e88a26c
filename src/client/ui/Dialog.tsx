import { Dialog as Base } from '@base-ui/react/dialog';
import {
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';
import { css, styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import { findTopLayer } from '../theme/layers.ts';
import { dialogLook, ModalContent, type ModalContentProps, modalLook } from './ModalContent.tsx';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** Near the top of the window, so that it doesn't move while its height changes. */
  isAtTop?: boolean;
  children: ReactNode;
}

/** A sheet in the middle of the dashboard's window. Visitors' pages have `PageDialog`. */
export function Dialog({ open, isAtTop = false, ...content }: DialogProps) {
  return open ? <Modal {...content} sheet={<DialogSheet $isAtTop={isAtTop} />} shade={55} /> : null;
}

interface DrawerProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A sheet from the right; render it only while it is open. */
export function Drawer(content: DrawerProps) {
  return <Modal {...content} sheet={<DrawerSheet data-drawer="" />} shade={35} isCompact />;
}

interface ModalProps extends DrawerProps {
  sheet: ReactElement;
  /** How dark the page behind it is, in percent. */
  shade: number;
  /** Less padding on a phone. */
  isCompact?: boolean;
}

/**
 * Focus starts at the first field of a form, or else at the close button, stays inside and returns. Esc, the button and
 * a press outside close it. GlobalStyle locks the page's scrolling and keeps the scrollbar's gutter.
 */
function Modal({ sheet, shade, onClose, ...content }: ModalProps) {
  const titleId = useId();
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open
      modal="trap-focus"
      // The backdrop closes it. The library's own way also moves the focus to the sheet when a list inside it closes.
      disablePointerDismissal
      onOpenChange={(_, details) => {
        // The library doesn't know what is above it without being inside.
        if (findTopLayer() === popup.current) onClose();
        else details.cancel();
      }}
    >
      <Base.Portal>
        <Base.Backdrop render={<Shade $percent={shade} onClick={onClose} />} />
        <Base.Popup
          ref={popup}
          render={sheet}
          aria-labelledby={titleId}
          aria-modal="true"
          data-modal=""
          initialFocus={false}
          finalFocus={false}
        >
          <Content {...content} sheet={popup} titleId={titleId} onClose={onClose} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Content({ sheet, ...content }: ModalContentProps & { sheet: RefObject<HTMLElement | null> }) {
  useOwnFocus(sheet);
  return <ModalContent {...content} />;
}

const formField = 'form :is(input, select, textarea):enabled:not([type=hidden], [hidden])';

/** Takes the focus and returns it. The library would take it a frame later, when a key may have been pressed. */
function useOwnFocus(sheet: RefObject<HTMLElement | null>): void {
  const before = useRef<Element | null>(null);
  // Returned before its place in the sheet is removed.
  useLayoutEffect(() => {
    before.current = document.activeElement;
    return () => focusOn(before.current);
  }, []);
  // What opened it may get the focus back in the same update.
  useEffect(() => {
    if (sheet.current === null || sheet.current.contains(document.activeElement)) return;
    before.current = document.activeElement;
    focusOn(sheet.current.querySelector(formField) ?? sheet.current.querySelector('button'));
  }, [sheet]);
}

function focusOn(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}

const Shade = styled.div<{ $percent: number }>`
  position: fixed;
  inset: 0;
  z-index: 25;
  background: color-mix(in srgb, ${token.ink} ${({ $percent }) => $percent}%, transparent);
`;

const DialogSheet = styled.div<{ $isAtTop: boolean }>`
  ${dialogLook}
  z-index: 25;

  ${({ $isAtTop }) =>
    $isAtTop &&
    css`
      margin-block-start: min(8dvh, 5rem);
    `}
`;

const DrawerSheet = styled.div`
  ${modalLook}
  inset: 0 0 0 auto;
  z-index: 25;
  inline-size: min(100%, 34rem);
  block-size: 100dvh;

  @media (prefers-reduced-motion: no-preference) {
    transition: transform ${token.transition};

    @starting-style {
      transform: translateX(2rem);
    }
  }
`;
