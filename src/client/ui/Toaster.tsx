import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import { toast as store, useToaster } from 'react-hot-toast/headless';
import { styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';
import { Button, IconButton } from './Button.tsx';
import { X } from './Icon.tsx';
import { useLabels } from './labels.ts';
import { findTopLayer, modals } from '../theme/layers.ts';

export interface ToastContent {
  title: string;
  description?: string | undefined;
  /** Below the description: whom or what it is about. */
  about?: string | undefined;
  tone?: 'default' | 'destructive' | 'success';
  /** The description is also in the page, so a phone, where the toast covers the page, shows only the title. */
  isInPage?: boolean;
  /** An action that is offered while the toast is shown. Ctrl+Z also presses one that undoes something. */
  action?: { label: string; onPress: () => void; isUndo?: boolean };
}

/** As in `media.tablet`. */
const widerThanPhone = '(min-width: 48em)';
const durationMs = 5_000;
/** An action needs time to read and to reach. */
const actionDurationMs = 10_000;

/** Replaces the toast on screen. Uses the headless entry: the other writes a style tag, which the CSP blocks. */
export function pushToast(content: ToastContent): void {
  store.remove();
  store.custom((shown) => <ToastCard content={content} onDismiss={() => store.dismiss(shown.id)} />, {
    duration: content.action === undefined ? durationMs : actionDurationMs,
    removeDelay: 0,
  });
}

export function removeToasts(): void {
  store.remove();
}

/** Renders the toasts inside the top dialog: outside it a toast is covered and silent. */
export function Toaster() {
  const { toasts, handlers } = useToaster();
  return createPortal(
    <Place startPause={handlers.startPause} endPause={handlers.endPause}>
      {toasts
        .filter((shown) => shown.visible)
        .map((shown) => (
          <div key={shown.id}>
            {typeof shown.message === 'function' ? shown.message(shown) : shown.message}
          </div>
        ))}
    </Place>,
    useTopModal() ?? document.body,
  );
}

/** The dialog on top of the page, or null. */
function useTopModal(): Element | null {
  return useSyncExternalStore(watchDialogs, topModal);
}

function topModal(): Element | null {
  return findTopLayer(modals);
}

/** Observes the page: an open dialog is on it, a closed one isn't. */
function watchDialogs(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { subtree: true, childList: true });
  return () => observer.disconnect();
}

interface PlaceProps {
  startPause: () => void;
  endPause: () => void;
  children: ReactNode;
}

/** Hover and focus pause the timer, but not after the toast was mounted again in another dialog. */
function Place({ startPause, endPause, children }: PlaceProps) {
  const end = useEffectEvent(endPause);
  // An element that is removed gets no event for the pointer or the focus that leaves it.
  useEffect(() => () => end(), []);
  return (
    <Corner onMouseEnter={startPause} onMouseLeave={endPause} onFocus={startPause} onBlur={endPause}>
      {children}
    </Corner>
  );
}

function ToastCard({ content, onDismiss }: { content: ToastContent; onDismiss: () => void }) {
  const { title, description, about, tone = 'default', isInPage = false, action } = content;
  const { dismiss } = useLabels();
  const sheet = useRef<HTMLDivElement>(null);
  function act(press: () => void): void {
    onDismiss();
    press();
  }
  useFreePlace(sheet);
  useToastKeys(sheet, action?.isUndo === true ? () => act(action.onPress) : null);
  return (
    <Sheet ref={sheet} role={tone === 'destructive' ? 'alert' : 'status'} data-toast="" $tone={tone}>
      <div>
        <ToastTitle>{title}</ToastTitle>
        {description === undefined ? null : <Description $isInPage={isInPage}>{description}</Description>}
        {about === undefined ? null : <p>{about}</p>}
        {action === undefined ? null : (
          <Action
            variant="secondary"
            size="small"
            aria-keyshortcuts={action.isUndo === true ? 'Control+Z Meta+Z' : undefined}
            onClick={() => act(action.onPress)}
          >
            {action.label}
          </Action>
        )}
      </div>
      <Dismiss type="button" aria-label={dismiss} onClick={onDismiss}>
        <X />
      </Dismiss>
    </Sheet>
  );
}

/** On a phone: keeps a new toast clear of what it may be about, before the browser paints it. */
function useFreePlace(sheet: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const shown = sheet.current;
    if (shown === null || matchMedia(widerThanPhone).matches || shown.closest('[data-drawer]') !== null)
      return;
    const { bottom } = shown.getBoundingClientRect();
    const { height = window.innerHeight, offsetTop = 0 } = window.visualViewport ?? {};
    // A keyboard covers what is at the bottom.
    const isHidden = bottom > offsetTop + height;
    const overlap = isHidden ? 0 : findOverlap(shown);
    const { scrollHeight } = document.documentElement;
    const canScroll = scrollHeight - window.innerHeight - window.scrollY >= overlap;
    if (isHidden || !canScroll) shown.toggleAttribute('data-at-top', true);
    else if (overlap > 0) window.scrollBy({ top: overlap });
  }, [sheet]);
}

/** Pixels between a toast and the button that it would cover. */
const clearance = 8;

/** By how many pixels the page must scroll so that a toast doesn't cover a form's button, which may be needed again. */
function findOverlap(sheet: HTMLElement): number {
  const { top, bottom } = sheet.getBoundingClientRect();
  const overlaps = [...document.querySelectorAll('form [type=submit]')].map((button) => {
    const box = button.getBoundingClientRect();
    if (box.height === 0 || box.top >= bottom || box.bottom <= top) return 0;
    return button.closest(modals) === null ? box.bottom - top + clearance : Infinity;
  });
  return Math.max(0, ...overlaps);
}

/**
 * F6 moves the focus to the toast's first button and back. Ctrl+Z undoes, except in a text field, which has its own
 * Undo. A toast that disappears with the focus returns it.
 */
function useToastKeys(sheet: RefObject<HTMLElement | null>, undo: (() => void) | null): void {
  const before = useRef<Element | null>(null);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.shiftKey) return;
    const isUndo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
    if (isUndo && undo !== null && !isTextField(event.target)) undo();
    else if (event.key === 'F6' && sheet.current !== null)
      before.current = swapFocus(sheet.current, before.current);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  useLayoutEffect(() => {
    const shown = sheet.current;
    return () => {
      if (shown?.contains(document.activeElement) === true) focusOn(before.current);
    };
  }, [sheet]);
}

/** Returns the element that had the focus before the toast. */
function swapFocus(sheet: HTMLElement, before: Element | null): Element | null {
  if (sheet.contains(document.activeElement)) {
    focusOn(before);
    return null;
  }
  const active = document.activeElement;
  focusOn(sheet.querySelector('button'));
  return active;
}

function focusOn(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus();
}

function isTextField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input:not([type=checkbox]), textarea') !== null)
  );
}

const edges: Record<NonNullable<ToastContent['tone']>, string> = {
  default: token.secondary,
  destructive: token.danger,
  success: token.success,
};

/** Bottom right covers neither title nor header button. Below the header without a free place (`useFreePlace`). */
const Corner = styled.div`
  position: fixed;
  inset-block-end: max(1rem, env(safe-area-inset-bottom));
  inset-inline-end: 1rem;
  z-index: 30;
  inline-size: min(100% - 2rem, 420px);
  pointer-events: none;

  /* Above the bar at the lower edge, whose buttons stay in reach. */
  body:has([data-bottom-bar] > output:first-child:not(:empty)) > & {
    inset-block-end: 5rem;
  }

  /* And above the bar of the tabs. */
  @media (max-width: 63.99em) and (min-height: 30.01em) {
    body:has([data-tab-bar]) > & {
      inset-block-end: calc(4.5rem + env(safe-area-inset-bottom));
    }

    body:has([data-tab-bar]):has([data-bottom-bar] > output:first-child:not(:empty)) > & {
      inset-block-end: calc(8.5rem + env(safe-area-inset-bottom));
    }
  }

  &:has([data-at-top]) {
    inset-block: calc(var(--header-size) + 2rem) auto;
  }

  /* Beside a drawer, or below its content where there is no room beside it: what comes next is in the drawer. */
  [data-drawer] > & {
    position: static;
    inline-size: auto;
    margin: 0.5rem 1rem;

    &:not(:has([data-toast])) {
      display: none;
    }
  }

  ${media.desktop} {
    [data-drawer] > & {
      position: fixed;
      inset-inline: 1rem auto;
      inline-size: min(100vw - 36rem, 420px);
      margin: 0;
    }
  }
`;

const Sheet = styled.div<{ $tone: NonNullable<ToastContent['tone']> }>`
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: 0.5rem;
  padding: 0.75rem 0.5rem 0.75rem 1.25rem;
  border: 1px solid ${token.line};
  border-inline-start: 4px solid ${({ $tone }) => edges[$tone]};
  border-radius: ${token.radius};
  background: ${token.background};
  color: ${token.foreground};
  line-height: 1.5;
  overflow-wrap: anywhere;
  pointer-events: auto;

  & > div {
    align-self: center;
  }
`;

const ToastTitle = styled.p`
  font-weight: 600;
`;

const Description = styled.p<{ $isInPage: boolean }>`
  display: ${({ $isInPage }) => ($isInPage ? 'none' : 'block')};

  ${media.tablet} {
    display: block;
  }
`;

const Action = styled(Button)`
  margin-block: 0.375rem 0.25rem;
`;

const Dismiss = styled(IconButton)`
  color: ${token.muted};
`;
