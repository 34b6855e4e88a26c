import { applyLabel } from '#shared/brand/calls.ts';
import { chrome } from '#shared/brand/chrome.ts';
import { paths, providerFormAnchor } from '#shared/pages/paths.ts';
import { hasCalculator } from '#client/sections/kit/hasCalculator.ts';
import type { HiddenClaim } from '#shared/claims/claim.ts';
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

interface NavPlace {
  /** The host is a provider's. */
  isTenant?: boolean;
  /** Without the calculator, nothing leads to it. */
  hidden?: readonly HiddenClaim[];
}

/** The site's links, in the header and the footer. On a tenant's host, the path of the map is how to get there. */
export function navLinks(kind: PageData['kind'], { isTenant = false, hidden = [] }: NavPlace = {}): NavLinks {
  const { nav } = chrome;
  const anchor = (id: string): string => (hasSections(kind) ? `#${id}` : `${paths.home}#${id}`);
  return {
    links: [
      { label: nav.howItWorks, href: anchor('how-it-works') },
      ...(hasCalculator(hidden) ? [{ label: nav.results, href: anchor('size-calculator') }] : []),
      { label: nav.faqs, href: anchor('faq') },
      { label: isTenant ? nav.directions : nav.providerMap, href: paths.map },
    ],
    action: { label: isTenant ? nav.request : nav.findProvider, href: formAddress(kind) },
  };
}

/** The header's links. Prospective providers read another page than patients, so it has links of its own. */
export function headerLinks(
  kind: PageData['kind'],
  { isTenant = false, hidden = [] }: NavPlace = {},
): NavLinks {
  if (kind !== 'recruitment') return navLinks(kind, { hidden, isTenant });
  const { whyJoin, research, howToStart, faq } = chrome.nav.recruitment;
  return {
    links: [
      { label: whyJoin, href: '#key-points' },
      { label: research, href: '#research' },
      { label: howToStart, href: '#get-started' },
      { label: faq, href: '#faq' },
    ],
    action: { label: applyLabel, href: `#${providerFormAnchor}` },
  };
}
