import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactElement, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import { findTopLayer } from '../theme/layers.ts';
import { ModalContent, type ModalContentProps } from './ModalContent.tsx';

export interface ModalProps extends Omit<ModalContentProps, 'titleId'> {
  sheet: ReactElement;
  /** How dark the page behind it is, in percent. */
  shade: number;
}

/**
 * A sheet above the dashboard. Focus starts at the first field of a form, or else at the close button, stays inside and
 * returns. Esc, the button and a press outside close it. GlobalStyle locks the page's scrolling and keeps the
 * scrollbar's gutter.
 */
export function Modal({ sheet, shade, onClose, ...content }: ModalProps) {
  const titleId = useId();
  const popup = useRef<HTMLDivElement>(null);
  // A press that closes a menu closes nothing else.
  const wasOnTop = useRef(false);
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
        {/* Else a dialog in a drawer has none. */}
        <Base.Backdrop
          forceRender
          render={<Shade $percent={shade} />}
          onPointerDown={() => {
            wasOnTop.current = findTopLayer() === popup.current;
          }}
          onClick={() => {
            if (wasOnTop.current) onClose();
          }}
        />
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
    return () => {
      if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
    };
  }, []);
  // What opened it may get the focus back in the same update.
  useEffect(() => {
    if (sheet.current === null || sheet.current.contains(document.activeElement)) return;
    before.current = document.activeElement;
    const first = sheet.current.querySelector<HTMLElement>(formField);
    (first ?? sheet.current.querySelector('button'))?.focus();
  }, [sheet]);
}

const Shade = styled.div<{ $percent: number }>`
  position: fixed;
  inset: 0;
  z-index: 25;
  background: color-mix(in srgb, ${token.ink} ${({ $percent }) => $percent}%, transparent);
`;
