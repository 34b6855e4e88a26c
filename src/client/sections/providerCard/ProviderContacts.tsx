import { styled } from 'styled-components';
import { ContactLink } from '#client/sections/kit/FormColumns.tsx';
import { ArrowUpRight, MapPin, Phone } from '#client/ui/Icon.tsx';
import { websiteLabel } from '#shared/brand/calls.ts';
import type { ProviderView, TenantView } from '#shared/providers/tenant.ts';

interface ProviderContactsProps {
  /** The town is named where there is no address. */
  provider: ProviderView & Partial<Pick<TenantView, 'city' | 'state'>>;
  /** False where the number is already beside it. */
  hasPhone?: boolean;
}

/** A provider's phone, address and website, each only if it has one. */
export function ProviderContacts({ provider, hasPhone = true }: ProviderContactsProps) {
  const { address, city = null, state, zipCode } = provider;
  const town = city === null ? null : `${city}, ${state}`;
  const place = address ?? town;
  return (
    <List>
      {!hasPhone || provider.phone === null || provider.phoneHref === null ? null : (
        <li>
          <Phone strokeWidth={1.75} />
          <ContactLink href={provider.phoneHref}>{provider.phone}</ContactLink>
        </li>
      )}
      <li>
        <MapPin strokeWidth={1.75} />
        <address>
          {place === null ? null : <>{place} </>}
          {zipCode}
        </address>
      </li>
      {provider.websiteHref === null ? null : (
        <li>
          <ArrowUpRight strokeWidth={1.75} />
          <ContactLink href={provider.websiteHref} target="_blank" rel="noopener">
            {websiteLabel}
          </ContactLink>
        </li>
      )}
    </List>
  );
}

const List = styled.ul`
  display: grid;

  & > li {
    display: grid;
    grid-template-columns: 1.25rem minmax(0, 1fr);
    gap: 0.875rem;
    align-items: center;
    min-block-size: 2.75rem;
    padding-block: 0.375rem;
    line-height: 1.5;
  }

  & > li > svg {
    inline-size: 1.25rem;
    color: var(--surface-link);
  }

  & > li > a {
    justify-self: start;
  }

  & address {
    font-style: normal;
    overflow-wrap: anywhere;
    text-wrap: balance;
  }
`;
