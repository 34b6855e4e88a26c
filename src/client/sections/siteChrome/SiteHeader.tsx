import { styled } from 'styled-components';
import { useBoot, useProvider } from '#client/api/tenant.tsx';
import { media, needsScripts, notPrinted, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Container, onDark } from '#client/ui/Section.tsx';
import { chrome } from '#shared/brand/chrome.ts';
import { headerLinks } from './navLinks.ts';
import { SiteLogo } from './SiteLogo.tsx';
import { SiteMenu } from './SiteMenu.tsx';
import { Check } from '#client/ui/Icon.tsx';

/** Visible only while it has the focus. The keyboard's first stop. */
export function SkipLink({ target }: { target: string }) {
  return <SkipAnchor href={`#${target}`}>{chrome.skipLink}</SkipAnchor>;
}

/** The strip, then the header that stays in view. The map's page has links of its own and no menu. */
export function SiteHeader() {
  const { page } = useBoot();
  const isProviderSite = useProvider() !== null;
  const { links, action } = headerLinks(page.kind);
  return (
    <>
      <TopBlock />
      <Bar>
        <Row>
          <SiteLogo />
          {page.kind === 'map' || page.kind === 'location' ? null : (
            <>
              <PhoneAction href={action.href} $wide={isProviderSite}>
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

const Bar = styled.header`
  position: sticky;
  inset-block-start: 0;
  z-index: 20;
  border-block-end: 1px solid ${token.line};
  background: ${token.background};

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

/**
 * The button beside the toggle, if there is space; on wide screens it is in the list. `$wide`: a provider's name needs
 * the space.
 */
const PhoneAction = styled(ButtonLink)<{ $wide: boolean }>`
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
  ${needsScripts}

  ${media.desktop} {
    display: none;
  }
  ${notPrinted}
`;

const SkipAnchor = styled.a`
  position: fixed;
  inset-block-start: 0.5rem;
  inset-inline-start: 0.5rem;
  z-index: 40;
  padding: 0.75rem 1.25rem;
  border-radius: ${token.pill};
  background: ${token.background};
  color: ${token.primary};
  font-weight: 600;
  box-shadow: ${token.shadow};

  &:not(:focus) {
    opacity: 0;
    transform: translateY(-200%);
  }
`;

/** The slim strip above the header: what a visitor can count on. */
export function TopBlock() {
  return (
    <Strip aria-label={chrome.topBlock.label}>
      <Container>
        <Points>
          {chrome.topBlock.points.map((point) => (
            <li key={point}>
              <Check />
              {point}
            </li>
          ))}
        </Points>
      </Container>
    </Strip>
  );
}

const Strip = styled.aside`
  ${onDark}
  background: ${token.primary};
  font-size: 0.875rem;
  line-height: 1.4;
  ${notPrinted}
`;

const Points = styled.ul`
  display: flex;
  justify-content: center;
  gap: 0.25rem 2rem;
  padding-block: 0.5rem;

  & li {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    white-space: nowrap;
  }

  & svg {
    flex: none;
    inline-size: 1rem;
    block-size: 1rem;
    opacity: 0.8;
  }

  /* One line on a phone: the last two points wait for room. */
  & li:nth-child(n + 2) {
    display: none;
  }

  @media (min-width: 30em) {
    & li:nth-child(2) {
      display: flex;
    }
  }

  ${media.tablet} {
    & li:nth-child(n) {
      display: flex;
    }
  }
`;
