import { Menu as Base } from '@base-ui/react/menu';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';
import type { PressedButton } from './loadedOnPress.tsx';
import { findLayer, floating, NoFocusGuards, panelLook } from './Popover.tsx';

export interface MenuItem {
  key: string;
  label: string;
  icon?: ReactNode;
  /** Deletes or sends something. */
  isDanger?: boolean;
  onSelect: () => void;
  /** Why it can't be chosen now. */
  disabledReason?: string | undefined;
}

export interface MenuProps {
  /** Names the button and the menu. */
  label: string;
  /** The button that opens it. */
  trigger: PressedButton;
  items: readonly MenuItem[];
}

/** A button with a menu. Arrow keys only move in it; Enter and Space choose. The focus returns to the button. */
export function MenuPanel({ label, trigger, items }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [container, setContainer] = useState<HTMLElement>();
  return (
    <Base.Root
      modal={false}
      open={isOpen}
      onOpenChange={(wanted) => {
        if (wanted && button.current !== null) setContainer(findLayer(button.current));
        setIsOpen(wanted);
      }}
    >
      <Base.Trigger ref={button} render={trigger} aria-label={label} />
      <Base.Portal container={container}>
        <NoFocusGuards />
        <Base.Positioner {...floating} data-overlay="">
          <List
            onKeyDown={(event) => {
              if (event.key !== 'Tab') return;
              // Tab moves on from the button.
              button.current?.focus();
              setIsOpen(false);
            }}
            onKeyDownCapture={ignoreHeldKey}
          >
            {items.map(({ key, onSelect, ...item }) => (
              <Choice
                key={key}
                {...item}
                onChoose={() => {
                  // Before the action, so that a dialog that it opens returns the focus to the button.
                  button.current?.focus();
                  onSelect();
                }}
              />
            ))}
          </List>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** The key that opened the menu, held down, must not choose its first item. */
function ignoreHeldKey(event: KeyboardEvent): void {
  if (!event.repeat || (event.key !== 'Enter' && event.key !== ' ')) return;
  event.preventDefault();
  event.stopPropagation();
}

interface ChoiceProps extends Omit<MenuItem, 'key' | 'onSelect'> {
  onChoose: () => void;
}

function Choice({ label, icon, isDanger = false, disabledReason, onChoose }: ChoiceProps) {
  const reasonId = useId();
  const isDisabled = disabledReason !== undefined;
  return (
    <Item
      label={label}
      aria-label={label}
      aria-describedby={isDisabled ? reasonId : undefined}
      disabled={isDisabled}
      $isDanger={isDanger}
      onClick={onChoose}
    >
      {icon}
      <span>
        {label}
        {isDisabled ? <Reason id={reasonId}>{disabledReason}</Reason> : null}
      </span>
    </Item>
  );
}

const List = styled(Base.Popup)`
  ${panelLook}
  min-inline-size: 11rem;
  max-inline-size: min(20rem, 100vw - 1rem);
  padding-block: 0.25rem;
  overflow-y: auto;
  overscroll-behavior: contain;
`;

const Item = styled(Base.Item)<{ $isDanger: boolean }>`
  display: flex;
  align-items: center;
  gap: 0.625rem;
  min-block-size: 2.25rem;
  padding: 0.375rem 1rem;
  color: ${({ $isDanger }) => ($isDanger ? token.danger : 'inherit')};
  cursor: pointer;

  ${media.touch} {
    min-block-size: 2.75rem;
  }

  &[data-highlighted] {
    outline: none;
    background: ${token.tint};
  }

  &[data-disabled] {
    color: ${token.muted};
    cursor: default;
  }

  & > svg {
    flex: none;
    inline-size: 1rem;
    block-size: 1rem;
  }
`;

const Reason = styled.span`
  display: block;
  font-size: 0.8125rem;
`;
