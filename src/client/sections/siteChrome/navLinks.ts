import { chrome } from '#shared/brand/chrome.ts';
import { paths, providerFormAnchor } from '#shared/pages/paths.ts';
import type { PageData } from '#shared/pages/boot.ts';

export interface NavLink {
  label: string;
  href: string;
}

interface NavLinks {
  links: NavLink[];
  /** The button. */
  action: NavLink;
}

/** Whether the page has the anchored sections itself; elsewhere their links lead to the home page's. */
function hasSections(kind: PageData['kind']): boolean {
  return kind === 'landing' || kind === 'microsite';
}

/** Where the page's own lead form is, or the home page's. */
function formAddress(kind: PageData['kind']): string {
  const anchor = `#${providerFormAnchor}`;
  return hasSections(kind) || kind === 'variant' ? anchor : `${paths.home}${anchor}`;
}

/** The header's and footer's links. A provider's own site has no provider map, since it names no other providers. */
export function navLinks(kind: PageData['kind'], isProviderSite: boolean): NavLinks {
  const { nav } = chrome;
  const anchor = (id: string): string => (hasSections(kind) ? `#${id}` : `${paths.home}#${id}`);
  const links = [
    { label: nav.howItWorks, href: anchor('how-it-works') },
    { label: nav.results, href: anchor('size-calculator') },
    { label: nav.faqs, href: anchor('faq') },
  ];
  const map = { label: nav.providerMap, href: paths.map };
  return {
    links: isProviderSite ? links : [...links, map],
    action: { label: isProviderSite ? nav.contactProvider : nav.findProvider, href: formAddress(kind) },
  };
}
