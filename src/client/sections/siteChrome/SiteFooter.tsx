import { type ReactNode, useSyncExternalStore } from 'react';
import { styled } from 'styled-components';
import { isOptedOut } from '#client/browser/optOut.ts';
import { useBoot, useCopy, useProvider, useMeasuresAds } from '#client/api/tenant.tsx';
import { media, notPrinted, token } from '#client/theme/tokens.ts';
import { Container, SmallTitle } from '#client/ui/Section.tsx';
import { brand } from '#shared/brand/brand.ts';
import { chrome } from '#shared/brand/chrome.ts';
import { advertisingId } from '#shared/brand/consent.ts';
import { paths, problemAnchor } from '#shared/pages/paths.ts';
import type { TenantView } from '#shared/providers/tenant.ts';
import { navLinks } from './navLinks.ts';
import { Wordmark } from './SiteLogo.tsx';

/** `policyLinks` are list items. Pages with one task have only these, in one line. */
export function SiteFooter({ policyLinks }: { policyLinks: ReactNode }) {
  const provider = useProvider();
  const { kind } = useBoot().page;
  const legal = <LegalLinks policyLinks={policyLinks} />;
  return (
    <Basemap>
      <Container>
        {kind === 'quiz' || kind === 'success' ? (
          <OneLine aria-label={chrome.footer.legal}>{legal}</OneLine>
        ) : (
          <Columns $count={provider === null ? 4 : 3}>
            {provider === null ? <BrandColumn /> : <ProviderColumn provider={provider} />}
            <ExploreColumn />
            {provider === null ? <ContactColumn /> : null}
            <Column aria-labelledby="footer-legal">
              <ColumnTitle id="footer-legal">{chrome.footer.legal}</ColumnTitle>
              {legal}
            </Column>
          </Columns>
        )}
        <Disclaimer />
      </Container>
    </Basemap>
  );
}

function LegalLinks({ policyLinks }: { policyLinks: ReactNode }) {
  const measuresAds = useMeasuresAds();
  return (
    <ul>
      {policyLinks}
      <LinkItem href={`${paths.privacy}#consumer-health-data`}>{chrome.footer.healthData}</LinkItem>
      <LinkItem href={`${paths.study}#${problemAnchor}`}>{chrome.footer.report}</LinkItem>
      {measuresAds ? (
        <li>
          <a href={`${paths.privacy}#${advertisingId}`} data-privacy-choices="">
            {chrome.footer.privacyChoices}
          </a>
        </li>
      ) : null}
    </ul>
  );
}

function BrandColumn() {
  return (
    <div>
      <FooterMark />
      <Tagline>{brand.tagline}</Tagline>
    </div>
  );
}

function ProviderColumn({ provider }: { provider: TenantView }) {
  return (
    <Column as="div">
      <ProviderName>{provider.label}</ProviderName>
      <Tagline>
        {chrome.certifiedProviderOf} {brand.name}
      </Tagline>
      <ul>
        {provider.address === null ? null : (
          <Line>
            {provider.address} {provider.zipCode}
          </Line>
        )}
        {provider.phoneHref === null ? null : <LinkItem href={provider.phoneHref}>{provider.phone}</LinkItem>}
        {provider.websiteHref === null ? null : (
          <li>
            <a href={provider.websiteHref} rel="noopener">
              {chrome.footer.visitWebsite}
            </a>
          </li>
        )}
      </ul>
    </Column>
  );
}

function ExploreColumn() {
  const { page, site, tenant, hiddenClaims } = useBoot();
  const isProviderSite = useProvider() !== null;
  const { links, action } = navLinks(page.kind, { isTenant: tenant !== null, hidden: hiddenClaims });
  return (
    <Column as="nav" aria-labelledby="footer-explore">
      <ColumnTitle id="footer-explore">{chrome.footer.explore}</ColumnTitle>
      <ul>
        {[...links, action].map(({ label, href }) => (
          <li key={label}>
            <a href={href}>{label}</a>
          </li>
        ))}
        {isProviderSite ? null : (
          <>
            <LinkItem href={paths.providers}>{chrome.footer.directory}</LinkItem>
            <LinkItem href={site.providerSignupUrl}>{chrome.footer.becomeProvider}</LinkItem>
          </>
        )}
      </ul>
    </Column>
  );
}

function ContactColumn() {
  const { contacts } = useBoot().site;
  return (
    <Column aria-labelledby="footer-contact">
      <ColumnTitle id="footer-contact">{chrome.footer.contact}</ColumnTitle>
      <ul>
        <LinkItem href={`mailto:${contacts.email}`}>{contacts.email}</LinkItem>
        <LinkItem href={contacts.phoneHref}>{contacts.phone}</LinkItem>
        <Line>{contacts.postalAddress}</Line>
      </ul>
    </Column>
  );
}

function LinkItem({ href, children }: { href: string; children: ReactNode }) {
  return (
    <li>
      <a href={href}>{children}</a>
    </li>
  );
}

const never = () => () => {};

function Disclaimer() {
  const { today } = useBoot();
  const studyNote = useCopy(chrome.footer.studyNote);
  const isProviderSite = useProvider() !== null;
  const optedOut = useSyncExternalStore(never, isOptedOut, () => false);
  return (
    <Small aria-label={chrome.footer.disclaimerTitle}>
      <p>{chrome.footer.disclaimer}</p>
      {studyNote === '' ? null : <p>{studyNote}</p>}
      <p>
        {`© ${today.slice(0, 4)} ${brand.plainName}. ${chrome.footer.rights} `}
        {/* In an element: a page translator replaces text nodes, and React could no longer take this one away. */}
        {isProviderSite ? <span>{chrome.footer.siteOperator}</span> : null}
      </p>
      {/* The page's bytes are everyone's: only the browser knows. Last of all, so that nothing moves when it appears. */}
      {optedOut ? <p>{chrome.footer.optedOut}</p> : null}
    </Small>
  );
}

const Basemap = styled.footer`
  border-block-start: 1px solid ${token.line};
  font-size: 0.9375rem;
  ${notPrinted}
`;

const Columns = styled.div<{ $count: 3 | 4 }>`
  display: grid;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 1.25rem 1.5rem;
  padding-block: 1.5rem 0.75rem;

  & > :first-child {
    grid-column: 1 / -1;
  }

  /* On a phone, the longest list is beside the others. */
  & > nav {
    grid-row: 2 / span 2;
  }

  ${media.tablet} {
    & > nav {
      grid-row: auto;
    }

    grid-template-columns: repeat(${({ $count }) => $count - 1}, minmax(0, 1fr));
  }

  ${media.desktop} {
    grid-template-columns: 1.6fr repeat(${({ $count }) => $count - 1}, minmax(0, 1fr));
    gap: 2rem;

    & > :first-child {
      grid-column: auto;
    }
  }
`;

const FooterMark = styled(Wordmark)`
  inline-size: 9rem;
  color: var(--surface-heading);
`;

const Tagline = styled.p`
  max-inline-size: 26em;
  margin-block-start: 0.5rem;
  color: var(--surface-muted);
`;

const ProviderName = styled(SmallTitle).attrs({ as: 'p' })`
  overflow-wrap: anywhere;
`;

const Column = styled.section`
  min-inline-size: 0;

  & a {
    display: inline-flex;
    align-items: center;
    min-block-size: 2.75rem;
    color: var(--surface-text);
    line-height: 1.35;
    text-decoration: none;
    overflow-wrap: anywhere;
  }

  & a:hover {
    color: var(--surface-heading);
    text-decoration: underline;
  }

  ${media.desktop} {
    & a {
      min-block-size: 2.25rem;
    }
  }

  ${media.touch} {
    & a {
      min-block-size: 2.75rem;
    }
  }
`;

const OneLine = styled(Column)`
  padding-block: 0.75rem;

  & > ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1.5rem;
  }
`;

/** No heading: the footer is not part of the page's outline. */
const ColumnTitle = styled.p`
  margin-block-end: 0.5rem;
  color: var(--surface-heading);
  font-weight: 600;
  line-height: 1.25;
`;

const Line = styled.li`
  max-inline-size: 16em;
  padding-block: 0.5rem;
  line-height: 1.5;
  text-wrap: balance;
`;

const Small = styled.section`
  display: grid;
  gap: 0.75rem 3rem;
  padding-block: 1.25rem 2rem;
  border-block-start: 1px solid var(--surface-line);
  color: var(--surface-muted);
  font-size: 0.8125rem;
  line-height: 1.55;

  & p {
    max-inline-size: ${token.measure};
  }

  ${media.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
`;
