import { pageTitle } from './pageTitle.ts';
import type { Boot } from '#shared/pages/boot.ts';
import { brand } from '#shared/brand/brand.ts';
import { chrome, policyLabels } from '#shared/brand/chrome.ts';
import { directory, listCrumbs } from '#shared/brand/directory.ts';
import { pageDescriptions } from '#shared/brand/pageTexts.ts';
import { withoutClaims } from '#shared/claims/claim.ts';
import type { PageImage, PageMeta } from '#shared/pages/pageMeta.ts';
import { type DirectoryListing, listingPath } from '#shared/pages/directory.ts';
import { pages } from '#shared/pages/pages.ts';
import { paths } from '#shared/pages/paths.ts';
import { brandShareImagePath, shareImageSize } from '#shared/shareImages/shareImage.ts';
import { providerHome, providerOrigin } from '#shared/pages/site.ts';
import type { TenantView } from '#shared/providers/tenant.ts';

/** Prints a provider's strings unchanged, so the server can fill in another's (shared/providers/tenant.ts). */
export function pageMeta(boot: Boot): PageMeta {
  const title = pageTitle(boot);
  const description = withoutClaims(buildDescription(boot), boot.hiddenClaims);
  const canonical = toCanonical(boot);
  const provider = boot.page.kind === 'microsite' ? boot.page.provider : boot.tenant;
  return {
    title,
    description,
    canonical,
    robots: canonical === null || !isIndexed(boot) ? 'noindex' : 'index',
    og: {
      title,
      description,
      url: canonical ?? getOrigin(boot),
      image: getImage(provider, boot.site.mainOrigin),
    },
    jsonLd: buildJsonLd(boot),
  };
}

function isIndexed({ page }: Boot): boolean {
  return page.kind !== 'directory' || page.listing.isIndexed;
}

function buildDescription({ page, tenant }: Boot): string {
  if (page.kind === 'directory') return directory.description(page.listing);
  if (page.kind === 'microsite') return pageDescriptions.microsite(page.provider.label);
  if (page.kind === 'policy') return pageDescriptions.policy(policyLabels[page.policy]);
  if (page.kind === 'location') return pageDescriptions.provider(page.provider.label);
  if (tenant !== null) return pageDescriptions.provider(tenant.label);
  if (page.kind === 'success' || page.kind === 'admin') return brand.description;
  if (page.kind === 'providerNotFound' || page.kind === 'notFound') return brand.description;
  return pageDescriptions[page.kind];
}

/**
 * The one address of a page that search engines should show. A provider's microsite has its own domain wherever it is
 * seen, and so has its location. All other pages are the brand's, on the main site. The variants of the landing page
 * share its address.
 */
function toCanonical({ site: { mainOrigin }, page }: Boot): string | null {
  const { canonical, paths: own } = pages[page.kind];
  if (canonical === 'home') return `${mainOrigin}${paths.home}`;
  if (canonical === 'providerOwn')
    return page.kind === 'location' ? `${providerOrigin(page.provider, mainOrigin)}${paths.map}` : null;
  if (page.kind === 'directory') return `${mainOrigin}${listingPath(page.listing)}`;
  if (canonical === 'own') return `${mainOrigin}${page.kind === 'policy' ? paths[page.policy] : own[0]}`;
  return page.kind === 'microsite' ? providerHome(page.provider, mainOrigin) : null;
}

/** The picture's URL for search engines; null without one, and for inline ones, which they don't read. */
function pictureAddress(picture: string | null, provider: TenantView, mainOrigin: string): string | null {
  if (picture === null || /^data:/i.test(picture)) return null;
  return picture.startsWith('/') ? `${providerOrigin(provider, mainOrigin)}${picture}` : picture;
}

/** From our server (server/render/shareImages/shareImages.ts), in the provider's name and colors on its pages. */
function getImage(provider: TenantView | null, mainOrigin: string): PageImage {
  return provider === null
    ? {
        ...shareImageSize,
        url: `${mainOrigin}${brandShareImagePath}`,
        alt: `${brand.name}: ${brand.tagline}`,
      }
    : {
        ...shareImageSize,
        url: `${providerOrigin(provider, mainOrigin)}${provider.shareImage}`,
        alt: `${provider.label}: ${chrome.certifiedProviderOf.toLowerCase()} ${brand.name}`,
      };
}

function getOrigin({ tenant, site }: Boot): string {
  return tenant === null ? `${site.mainOrigin}${paths.home}` : providerHome(tenant, site.mainOrigin);
}

function buildJsonLd({ page, site, hiddenClaims }: Boot): object | null {
  if (page.kind === 'microsite') return medicalBusiness(page.provider, site.mainOrigin);
  if (page.kind === 'directory') return breadcrumbList(page.listing, site.mainOrigin);
  if (page.kind !== 'landing') return null;
  const { email, phone } = site.contacts;
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: brand.plainName,
    url: `${site.mainOrigin}${paths.home}`,
    description: withoutClaims(brand.description, hiddenClaims),
    contactPoint: { '@type': 'ContactPoint', contactType: 'customer support', email, telephone: phone },
  };
}

function breadcrumbList({ trail }: DirectoryListing, mainOrigin: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: listCrumbs(trail).map(({ name, path }, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item: `${mainOrigin}${path}`,
    })),
  };
}

/** The address up to the ZIP code: in parts where they are known (shared/providers/addressParts.ts). */
function getStreet({ address, street, city, state }: TenantView): object {
  if (street !== null && city !== null && state !== null)
    return { streetAddress: street, addressLocality: city, addressRegion: state };
  return address === null ? {} : { streetAddress: address };
}

/** Only data from the provider's record: no ratings, prices or promises. */
function medicalBusiness(provider: TenantView, mainOrigin: string): object {
  const logo = pictureAddress(provider.logoUrl, provider, mainOrigin);
  const image = pictureAddress(provider.imageUrl, provider, mainOrigin);
  return {
    '@context': 'https://schema.org',
    '@type': 'MedicalBusiness',
    name: provider.label,
    url: providerHome(provider, mainOrigin),
    ...(provider.phone === null ? {} : { telephone: provider.phone }),
    ...(logo === null ? {} : { logo }),
    ...(image === null ? {} : { image }),
    ...(provider.openingHours.length === 0 ? {} : { openingHours: provider.openingHours }),
    ...(provider.websiteHref === null ? {} : { sameAs: provider.websiteHref }),
    address: {
      '@type': 'PostalAddress',
      ...getStreet(provider),
      postalCode: provider.zipCode,
      addressCountry: 'US',
    },
    ...(provider.latitude === null || provider.longitude === null
      ? {}
      : {
          geo: { '@type': 'GeoCoordinates', latitude: provider.latitude, longitude: provider.longitude },
        }),
  };
}
