import { styled } from 'styled-components';
import { useBoot, useClinic } from '#client/tenant.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Container } from '#client/ui/Section.tsx';
import { navLinks } from './navLinks.ts';
import { SiteLogo } from './SiteLogo.tsx';
import { SiteMenu } from './SiteMenu.tsx';
import { TopBlock } from './TopBlock.tsx';

/** The strip, then the header that stays in view. */
export function SiteHeader() {
  const { page } = useBoot();
  const { links, action } = navLinks(page.kind, useClinic() !== null);
  return (
    <>
      <TopBlock />
      <Bar>
        <Row>
          <SiteLogo />
          <PhoneAction href={action.href}>{action.label}</PhoneAction>
          <SiteMenu links={links} action={action} />
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

  @media print {
    position: static;
    border: 0;
  }
`;

const Row = styled(Container)`
  position: relative;
  display: flex;
  align-items: center;
  gap: 0.5rem;
  min-block-size: calc(var(--header-size) - 1px);

  & > :first-child {
    margin-inline-end: auto;
  }

  @media (scripting: none) {
    flex-wrap: wrap;
  }
`;

/** The button beside the toggle; on wide screens the list holds it. */
const PhoneAction = styled(ButtonLink)`
  padding-inline: 1rem;
  font-size: 0.9375rem;
  white-space: nowrap;

  @media (max-width: 21.99em) {
    display: none;
  }

  ${media.desktop} {
    display: none;
  }

  @media print {
    display: none;
  }
`;
