import { styled } from 'styled-components';
import { useBoot, useProvider } from '#client/api/tenant.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Picture } from '#client/ui/Picture.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { brand, wordmark } from '#shared/brand/brand.ts';
import { chrome } from '#shared/brand/chrome.ts';
import type { ProviderView } from '#shared/providers/tenant.ts';

/** The link home: the brand's wordmark, or on a provider's site its logo or name with the brand in small print. */
export function SiteLogo() {
  const { tenant, page } = useBoot();
  const provider = useProvider();
  if (provider === null) {
    return (
      <HomeLink href="/">
        <BrandMark />
      </HomeLink>
    );
  }
  const href = tenant === null ? `/?providerId=${provider.id}` : '/';
  return <ProviderHome provider={provider} href={href} isNamed={page.kind !== 'microsite'} />;
}

interface ProviderHomeProps {
  provider: Pick<ProviderView, 'name' | 'logoUrl' | 'initial'>;
  href: string;
  /** False where the page itself begins with the name. */
  isNamed?: boolean;
}

/** The link to a provider's home page: its logo or name, with the brand in small print. */
export function ProviderHome({ provider, href, isNamed = true }: ProviderHomeProps) {
  const { name, logoUrl, initial } = provider;
  const mark = (
    <Unlogoed>
      <Initial initial={initial} />
      {isNamed ? <Name>{name}</Name> : <VisuallyHidden>{name}</VisuallyHidden>}
    </Unlogoed>
  );
  return (
    <HomeLink href={href}>
      <Logo src={logoUrl} alt={name} fallback={mark} />
      <Certified>
        {chrome.certifiedProviderOf} <strong>{brand.name}</strong>
      </Certified>
    </HomeLink>
  );
}

/** The mark of a provider without a logo: its initial between two ticks. */
function Initial({ initial }: { initial: string }) {
  return (
    <InitialMark viewBox="0 0 38 32" aria-hidden="true">
      <path d="M.75 8v16M37.25 8v16M.75 16h7M30.25 16h7" />
      <text x="19" y="24.5" textAnchor="middle">
        {initial}
      </text>
    </InitialMark>
  );
}

const Unlogoed = styled.span`
  display: flex;
  gap: 0.75rem;
  align-items: center;
`;

const InitialMark = styled.svg`
  flex: none;
  block-size: 2rem;

  & > path {
    fill: none;
    stroke: currentcolor;
    stroke-width: 1.5;
  }

  & > text {
    fill: currentcolor;
    font-family: ${token.serif};
    font-size: 1.5rem;
  }
`;

const HomeLink = styled.a`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  align-content: center;
  gap: 0.25rem;
  min-inline-size: 0;
  min-block-size: 2.75rem;
  color: var(--surface-heading);
  text-decoration: none;
`;

const BrandMark = styled(Wordmark)`
  inline-size: 7.25rem;

  ${media.tablet} {
    inline-size: 8.25rem;
  }
`;

/** A box of fixed size. The name is shown if there is no logo or it fails to load. */
const Logo = styled(Picture)`
  inline-size: 10.5rem;
  block-size: 2rem;
  object-fit: contain;
  object-position: left center;

  ${media.tablet} {
    inline-size: 12rem;
  }
`;

const Name = styled.span`
  overflow: hidden;
  max-inline-size: 22rem;
  font-size: ${token.textLarge};
  font-weight: 700;
  letter-spacing: -0.015em;
  line-height: 1.15;
  display: -webkit-box;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 2;
`;

const Certified = styled.span`
  color: var(--surface-muted);
  font-size: 0.8125rem;
  line-height: 1.2;
  white-space: nowrap;

  & strong {
    font-weight: 600;
  }
`;

/** The brand's wordmark, in the colors of its surface. */
export function Wordmark({ className }: { className?: string }) {
  return (
    <svg
      className={className}
      viewBox={wordmark.viewBox}
      role="img"
      aria-label={brand.name}
      fill="currentColor"
    >
      <path d={wordmark.letters} />
      <DimensionLine d={wordmark.dimensionLine} />
      <path d={wordmark.registered} opacity="0.75" />
    </svg>
  );
}

const DimensionLine = styled.path`
  fill: none;
  stroke: currentcolor;
  stroke-width: 2.6;
  stroke-linecap: round;
`;
