import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react';
import { css, styled } from 'styled-components';
import { media, needsScripts, token } from '#client/theme/tokens.ts';
import { ButtonLink, IconButton } from '#client/ui/Button.tsx';
import { Menu, X } from '#client/ui/Icon.tsx';
import { chrome } from '#shared/brand/chrome.ts';
import type { NavLink } from './navLinks.ts';

const listId = 'site-menu';

/**
 * The main links: a row on wide screens, a list behind a toggle on small ones. Choosing an item, Esc or leaving it
 * closes the list. Where scripts don't run the list is always shown.
 */
export function SiteMenu({ links, action }: { links: NavLink[]; action: NavLink }) {
  const [open, setOpen] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !open) return;
    setOpen(false);
    toggle.current?.focus();
  }

  function onBlur(event: FocusEvent<HTMLElement>): void {
    // No new target: the window lost focus, or something that takes none was pressed.
    if (event.relatedTarget !== null && !event.currentTarget.contains(event.relatedTarget)) setOpen(false);
  }

  const close = (): void => setOpen(false);
  return (
    <Nav aria-label={chrome.nav.label} onKeyDown={onKeyDown} onBlur={onBlur}>
      <Toggle
        ref={toggle}
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        aria-label={open ? chrome.nav.close : chrome.nav.open}
        onClick={() => setOpen(!open)}
      >
        {open ? <X /> : <Menu />}
      </Toggle>
      <List id={listId} $open={open}>
        {links.map(({ label, href }) => (
          <li key={href}>
            <Item href={href} onClick={close}>
              {label}
            </Item>
          </li>
        ))}
        <li>
          <ButtonLink href={action.href} onClick={close}>
            {action.label}
          </ButtonLink>
        </li>
      </List>
    </Nav>
  );
}

const Nav = styled.nav`
  @media print {
    display: none;
  }
`;

const Toggle = styled(IconButton)`
  margin-inline-end: -0.625rem;

  ${media.desktop} {
    display: none;
  }
  ${needsScripts}
`;

const closedOnSmallScreens = css`
  @media (max-width: 63.99em) and (scripting: enabled) {
    display: none;
  }
`;

const List = styled.ul<{ $open: boolean }>`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.25rem;

  @media (max-width: 63.99em) and (scripting: enabled) {
    position: absolute;
    inset-block-start: 100%;
    inset-inline: 0;
    flex-direction: column;
    align-items: stretch;
    gap: 0;
    max-block-size: calc(100dvh - var(--header-size));
    padding: 0.5rem 1.25rem 1.5rem;
    border-block-end: 1px solid ${token.line};
    background: ${token.background};
    box-shadow: ${token.shadow};
    /* No shadow upwards, onto the header. */
    clip-path: inset(0 0 -4rem);
    overflow-y: auto;

    & li:last-child {
      display: grid;
      margin-block-start: 1rem;
    }
  }

  @media (min-width: 48em) and (max-width: 63.99em) and (scripting: enabled) {
    padding-inline: 2rem;
  }

  ${media.desktop} {
    & li:last-child {
      margin-inline-start: 0.75rem;
    }
  }

  ${({ $open }) => ($open ? null : closedOnSmallScreens)}
`;

const Item = styled.a`
  display: flex;
  align-items: center;
  min-block-size: 3.25rem;
  border-block-end: 1px solid ${token.line};
  color: ${token.foreground};
  font-weight: 500;
  text-decoration: none;

  &:hover {
    color: ${token.secondary};
  }

  ${media.desktop} {
    min-block-size: 2.75rem;
    padding-inline: 0.875rem;
    border: 0;
    border-radius: ${token.pill};
  }

  @media (scripting: none) {
    min-block-size: 2.75rem;
    padding-inline-end: 1rem;
    border: 0;
  }
`;
