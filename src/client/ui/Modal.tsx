import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactElement, type RefObject, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import { findTopLayer } from '../theme/layers.ts';
import { ModalContent, type ModalContentProps } from './ModalContent.tsx';
import { focusPanel } from './Tabs.tsx';

export interface ModalProps extends Omit<ModalContentProps, 'titleId'> {
  sheet: ReactElement;
  /** How dark the page behind it is, in percent. */
  shade: number;
}

/**
 * A sheet above the dashboard. Focus starts at a dialog's first field of a form, else at a text that scrolls, else at the
 * close button; it stays inside and returns. Esc, the button and a press outside close it. GlobalStyle locks the page's
 * scrolling and keeps the scrollbar's gutter.
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
        // The library doesn't know what is above it without being inside, nor the browser's open list of choices.
        if (findTopLayer() === popup.current && document.querySelector(openList) === null) onClose();
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
          <Content {...content} popup={popup} titleId={titleId} onClose={onClose} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Content({ popup, ...content }: ModalContentProps & { popup: RefObject<HTMLElement | null> }) {
  useOwnFocus(popup);
  return <ModalContent {...content} />;
}

/** `:is`: a browser may not know `:open`. */
const openList = ':is(select:open)';
const drawer = '[data-drawer]';
/** The library's, which lead from one end of the sheet to the other. */
const focusGuard = '[data-base-ui-focus-guard]';
const formField = 'form :is(input, select, textarea):enabled:not([type=hidden], [hidden])';

/**
 * Takes the focus, keeps it and returns it. The library would take it a frame later, when a key may have been pressed,
 * and keeps it only at the edges.
 */
function useOwnFocus(popup: RefObject<HTMLElement | null>): void {
  const before = useRef<Element | null>(null);
  useLayoutEffect(() => {
    before.current = document.activeElement;
    const keep = (event: Event): void => {
      const sheet = popup.current;
      if (sheet === null || sheet !== findTopLayer()) return;
      const isTab = event instanceof KeyboardEvent && event.key === 'Tab';
      // By Tab from the page's start, where the focus is if what had it is gone; by a script, or from outside the page.
      if (event.type === 'focusin' ? isOutside(event.target, sheet) : isTab && isLost()) sheet.focus();
    };
    document.addEventListener('focusin', keep);
    document.addEventListener('keydown', keep);
    return () => {
      document.removeEventListener('focusin', keep);
      document.removeEventListener('keydown', keep);
      // Before its place in the sheet is removed.
      if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
      // What had it may be gone with its tab, or unable to take it.
      queueMicrotask(() => {
        if (before.current === document.body || !isLost() || findTopLayer() !== null) return;
        focusPanel({ preventScroll: true });
      });
    };
  }, [popup]);
  // What opened it may get the focus back in the same update.
  useEffect(() => {
    const sheet = popup.current;
    if (sheet === null || sheet.contains(document.activeElement)) return;
    before.current = document.activeElement;
    const start = sheet.matches(drawer)
      ? null
      : (sheet.querySelector<HTMLElement>(formField) ?? findScrolling(sheet));
    (start ?? sheet.querySelector('button'))?.focus();
  }, [popup]);
}

/** A long text, which keys then scroll. */
function findScrolling(sheet: HTMLElement): HTMLElement | null {
  const body = sheet.querySelector<HTMLElement>(':scope > [tabindex="0"]');
  return body !== null && body.scrollHeight > body.clientHeight ? body : null;
}

function isOutside(target: EventTarget | null, sheet: HTMLElement): boolean {
  return target instanceof Element && !sheet.contains(target) && !target.matches(focusGuard);
}

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

const Shade = styled.div<{ $percent: number }>`
  position: fixed;
  inset: 0;
  z-index: 25;
  background: color-mix(in srgb, ${token.ink} ${({ $percent }) => $percent}%, transparent);
`;
