import { useState } from 'react';
import { styled } from 'styled-components';
import { Facts } from '#client/admin/kit/Facts.tsx';
import { LinkLine, Stack } from '#client/admin/kit/layout.tsx';
import { useSite } from '#client/api/tenant.tsx';
import { media, token } from '#client/theme/tokens.ts';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import { paths } from '#shared/pages/paths.ts';
import { providerHome } from '#shared/pages/site.ts';
import { pageCopy } from './copy.ts';

const copy = pageCopy.site;

/** A provider's site, as a link and as a phone shows its top. */
export function ProviderSite({ provider }: { provider: AdminProvider }) {
  const { mainOrigin } = useSite();
  const [isShown, setIsShown] = useState(false);
  if (provider.status !== 't')
    return (
      <Facts title={copy.title}>
        <p>{copy.inactive}</p>
      </Facts>
    );
  return (
    <Facts title={copy.title}>
      <Stack $gap="0.75rem">
        <LinkLine>
          <a href={providerHome(provider, mainOrigin)} target="_blank" rel="noopener noreferrer">
            {copy.open}
          </a>
        </LinkLine>
        <Preview onToggle={({ currentTarget }) => setIsShown(currentTarget.open)}>
          <summary>{copy.show}</summary>
          {isShown ? (
            // The same page on this host. Without scripts: a preview counts as no visit and sends nothing.
            <Phone
              title={copy.preview(provider.name)}
              src={`${paths.microsite}?providerId=${provider.id}`}
              sandbox="allow-same-origin"
              inert
            />
          ) : null}
        </Preview>
      </Stack>
    </Facts>
  );
}

const Preview = styled.details`
  & > summary {
    padding-block: 0.375rem;
    color: ${token.secondary};
    font-weight: 600;
    cursor: pointer;

    ${media.touch} {
      padding-block: 0.75rem;
    }
  }
`;

const Phone = styled.iframe`
  inline-size: min(100%, 22.5rem);
  block-size: 32rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
`;
