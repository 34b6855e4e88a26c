import { styled } from 'styled-components';
import { useSite } from '#client/api/tenant.tsx';
import { OfferTags } from '#client/sections/kit/OfferTags.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { Portrait } from '#client/ui/Picture.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { network } from '#shared/brand/map.ts';
import { providerHome, requestPath } from '#shared/pages/site.ts';
import { carryZipLink } from './ZipForm.tsx';
import type { ProviderView } from '#shared/providers/tenant.ts';

/** The provider at a pin. */
export function ProviderPopup({ provider }: { provider: ProviderView }) {
  const { mainOrigin } = useSite();
  return (
    <Who>
      <Portrait src={provider.imageUrl} initial={provider.initial} />
      <Lines>
        <PopupName>
          <a href={providerHome(provider, mainOrigin)}>{provider.label}</a>
        </PopupName>
        {provider.practiceName === null ? null : <p>{provider.name}</p>}
      </Lines>
      <Below>
        {provider.address === null ? null : (
          <address>
            {provider.address} {provider.zipCode}
          </address>
        )}
        <Offers>
          <OfferTags provider={provider} />
        </Offers>
        <Contacts>
          {provider.phoneHref === null ? null : <a href={provider.phoneHref}>{provider.phone}</a>}
          {provider.websiteHref === null ? null : (
            <a href={provider.websiteHref} target="_blank" rel="noopener noreferrer">
              {network.list.website} <VisuallyHidden>{network.list.newWindow}</VisuallyHidden>
            </a>
          )}
        </Contacts>
        <Request href={requestPath(provider.id)} onClick={carryZipLink}>
          {network.list.request}
        </Request>
      </Below>
    </Who>
  );
}

const Who = styled.div`
  display: grid;
  grid-template-columns: auto minmax(0, 1fr);
  gap: 0.5rem 0.875rem;
`;

const Lines = styled.div`
  display: grid;
  gap: 0.125rem;
  min-inline-size: 0;
  overflow-wrap: anywhere;
`;

const PopupName = styled.p`
  font-weight: 700;
  line-height: 1.3;

  & > a {
    display: inline-block;
    padding-block: 0.25rem;
    color: ${token.primary};
  }
`;

const Contacts = styled.p`
  display: flex;
  flex-wrap: wrap;
  gap: 0 1rem;

  & > a {
    padding-block: 0.375rem;
    font-variant-numeric: tabular-nums;
    font-weight: 600;

    ${media.touch} {
      padding-block: 0.75rem;
    }
  }
`;

/** Its label fits one line of the narrowest popup. */
const Request = styled(ButtonLink)`
  padding-inline: 0.75rem;
`;

const Below = styled.div`
  display: grid;
  grid-column: 1 / -1;
  gap: 0.25rem;
  /* Below the button that closes the popup, which has the column at the edge. */
  margin-inline-end: -1.5rem;
  overflow-wrap: anywhere;

  & address {
    color: ${token.muted};
    font-style: normal;
  }
`;

/** On a phone, the list below the map has them: the popup leaves more of the map visible. */
const Offers = styled.div`
  display: none;

  ${media.tablet} {
    display: block;
  }
`;
