import { Popover as Base } from '@base-ui/react/popover';
import { type KeyboardEvent, type ReactElement, type ReactNode, useState } from 'react';
import { createGlobalStyle, css, styled } from 'styled-components';
import { token } from '../theme/tokens.ts';
import { modals } from '../theme/layers.ts';
import { onLight } from './Section.tsx';

interface PopoverProps {
  /** Names it, as its heading. */
  title: string;
  /** The button that opens it. */
  trigger: ReactElement;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** `close` returns the focus to the button. */
  children: (close: () => void) => ReactNode;
}

/** A small panel at its button, above everything else. Escape and a press outside close it. */
export function Popover({ title, trigger, isOpen, onOpenChange, children }: PopoverProps) {
  const [button, setButton] = useState<HTMLElement | null>(null);
  const [place, setPlace] = useState<Place>(atButton);
  function close(): void {
    button?.focus();
    onOpenChange(false);
  }
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={(wanted, { trigger: pressed }) => {
        // The state isn't set yet when the first press is repeated (loadedOnPress.tsx).
        if (wanted && pressed !== undefined) setPlace(findPlace(pressed));
        onOpenChange(wanted);
      }}
    >
      <Base.Trigger ref={setButton} render={trigger} />
      <Base.Portal container={place.container}>
        <NoFocusGuards />
        <Base.Positioner {...floating} {...place.position} data-overlay="">
          <Panel
            onKeyDown={(event) => {
              if (event.key === 'Tab') leave(event, close);
            }}
          >
            <Base.Title render={<Heading />}>{title}</Base.Title>
            {children(close)}
          </Panel>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const edge = 8;
const panelWidth = 320;

/** How panels and menus are placed. They stay within the window. */
export const floating = {
  positionMethod: 'fixed',
  align: 'start',
  sideOffset: 4,
  collisionPadding: edge,
  // Above the bars, below messages.
  style: { zIndex: 20 },
} as const;

interface Place {
  /** Outside of an open modal dialog nothing can be pressed. */
  container: HTMLElement | undefined;
  position: { side: 'bottom' | 'left'; sideOffset: number };
}

const atButton: Place = {
  container: undefined,
  position: { side: 'bottom', sideOffset: floating.sideOffset },
};

/** Below the button. Beside a drawer if there is room, to cover no text. */
function findPlace(button: Element): Place {
  const container = findLayer(button);
  const drawer = container?.matches('[data-drawer]') === true ? container.getBoundingClientRect() : undefined;
  if (drawer === undefined || drawer.left < panelWidth + 2 * edge) return { ...atButton, container };
  const sideOffset = button.getBoundingClientRect().left - drawer.left + edge;
  return { container, position: { side: 'left', sideOffset } };
}

/** The modal dialog that an element is in, else the page's content. */
export function findLayer(element: Element): HTMLElement | undefined {
  return element.closest<HTMLElement>(`${modals}, main`) ?? undefined;
}

/** Without the field that the library hides for forms. */
const stops =
  ':is(a[href], button, input, select, textarea, [tabindex="0"]):not(:disabled, [tabindex="-1"], [aria-hidden=true])';

/** From the last field, Tab moves on from the button; from the first, back to it. */
function leave(event: KeyboardEvent<HTMLElement>, close: () => void): void {
  const all = [...event.currentTarget.querySelectorAll(stops)];
  if (event.target !== (event.shiftKey ? all[0] : all.at(-1))) return;
  if (event.shiftKey) event.preventDefault();
  close();
}

/**
 * The library's own stops around a panel, which it marks as hidden: axe reports them. Without them, the Tab key is
 * handled here.
 */
export const NoFocusGuards = createGlobalStyle`
  [data-base-ui-focus-guard] {
    display: none;
  }
`;

/** How a panel or a menu looks. */
export const panelLook = css`
  ${onLight}
  max-block-size: var(--available-height);
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.background};
  color: var(--surface-text);
  font-size: 0.9375rem;
  line-height: 1.35;

  &:focus-visible {
    outline: none;
  }
`;

const Panel = styled(Base.Popup)`
  ${panelLook}
  display: flex;
  flex-direction: column;
  inline-size: ${panelWidth}px;
  max-inline-size: calc(100vw - ${2 * edge}px);
  max-block-size: min(var(--available-height), 22rem);
  overflow: hidden;
`;

const Heading = styled.h2`
  padding: 0.75rem 1rem 0.5rem;
  font-size: 0.875rem;
`;
