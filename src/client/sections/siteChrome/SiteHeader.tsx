import { css, keyframes, styled } from 'styled-components';
import { useBoot, useCopy, useProvider } from '#client/api/tenant.tsx';
import { media, needsScripts, notPrinted, token } from '#client/theme/tokens.ts';
import { ButtonLink, IconButton } from '#client/ui/Button.tsx';
import { Container } from '#client/ui/Section.tsx';
import { chrome } from '#shared/brand/chrome.ts';
import { headerLinks, type NavLink } from './navLinks.ts';
import { SiteLogo } from './SiteLogo.tsx';
import { Menu, X } from '#client/ui/Icon.tsx';
import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react';

/** The strip, then the header that stays in view. The map's page has links of its own and no menu. */
export function SiteHeader() {
  const { page, tenant, hiddenClaims } = useBoot();
  const isProviderSite = useProvider() !== null;
  const hasCallBar = page.kind === 'microsite';
  const { links, action } = headerLinks(page.kind, { isTenant: tenant !== null, hidden: hiddenClaims });
  return (
    <>
      <TopBlock />
      <Bar>
        <Row>
          <SiteLogo />
          {page.kind === 'map' || page.kind === 'location' ? null : (
            <>
              <PhoneAction
                variant="secondary"
                href={action.href}
                $wide={isProviderSite}
                $hasCallBar={hasCallBar}
              >
                {action.label}
              </PhoneAction>
              <SiteMenu links={links} action={action} />
            </>
          )}
        </Row>
      </Bar>
    </>
  );
}

const fill = keyframes`
  to {
    transform: scaleX(1);
  }
`;

const Bar = styled.header`
  position: sticky;
  inset-block-start: 0;
  z-index: 20;
  border-block-end: 1px solid ${token.line};
  background: ${token.background};

  /* How much of the page is read, where there is no ruler. Browsers without scroll timelines leave it out. */
  &::after {
    position: absolute;
    inset: auto 0 -1px;
    border-block-start: 2px solid ${token.ink};
    content: '';
    transform: scaleX(0);
    transform-origin: left;
    animation: ${fill} linear both;
    animation-timeline: scroll(root);

    ${media.desktop} {
      display: none;
    }
  }

  @media (scripting: none) {
    position: static;
  }

  /* The menu hangs from it. */
  ${media.low} {
    position: relative;
  }

  @media print {
    position: static;
    border: 0;
  }
`;

const Row = styled(Container)`
  display: flex;
  align-items: center;
  gap: 0.5rem;
  min-block-size: calc(var(--header-size) - 1px);

  & > :first-child {
    margin-inline-end: auto;
  }

  @media (scripting: none) {
    flex-wrap: wrap;
    padding-block: 0.75rem;
  }
`;

const hiddenUnlessLow = css`
  @media not all and (max-height: 30em) {
    display: none;
  }
`;

/**
 * Beside the toggle if there is space; on wide screens, in the list. `$wide`: a provider's name needs the space.
 * `$hasCallBar`: the bar at the bottom (providerCard/CallBar.tsx) has it, except in a low window.
 */
const PhoneAction = styled(ButtonLink)<{ $wide: boolean; $hasCallBar: boolean }>`
  padding-inline: 1rem;
  font-size: 0.9375rem;
  white-space: nowrap;

  /* The open list has it. */
  &:has(~ nav [aria-expanded='true']) {
    visibility: hidden;
  }

  @media (max-width: ${({ $wide }) => ($wide ? '35.99em' : '21.99em')}) {
    display: none;
  }
  ${({ $hasCallBar }) => ($hasCallBar ? hiddenUnlessLow : null)}
  ${needsScripts}

  ${media.desktop} {
    display: none;
  }
  ${notPrinted}
`;

/** The slim strip above the header: what a visitor can count on. */
function TopBlock() {
  const points = useCopy(chrome.topBlock.points);
  return (
    <Strip aria-label={chrome.topBlock.label}>
      <Container>
        <Points>
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </Points>
      </Container>
    </Strip>
  );
}

const Strip = styled.aside`
  border-block-end: 1px solid ${token.line};
  color: ${token.muted};
  font-size: 0.75rem;
  line-height: 1.75rem;
  ${notPrinted}
`;

const Points = styled.ul`
  display: flex;
  justify-content: space-between;
  gap: 1rem;
  white-space: nowrap;

  /* One line on a phone: the last point waits for room. */
  @media (max-width: 29.99em) {
    & li:nth-child(n + 3) {
      display: none;
    }
  }
`;

const listId = 'site-menu';

/**
 * The main links: a row on wide screens, a list behind a toggle on small ones. Choosing an item, Esc or leaving it
 * closes the list. Where scripts don't run the list is always shown.
 */
function SiteMenu({ links, action }: { links: NavLink[]; action: NavLink }) {
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
          <ButtonLink variant="secondary" href={action.href} onClick={close}>
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
