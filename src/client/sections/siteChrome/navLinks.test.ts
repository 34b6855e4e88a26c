import { expect, test } from 'vitest';
import { chrome } from '#shared/brand/chrome.ts';
import { navLinks } from './navLinks.ts';

const { nav } = chrome;

test('the main site has the specified links, as anchors on the landing page', () => {
  expect(navLinks('landing', false)).toEqual({
    links: [
      { label: nav.howItWorks, href: '#how-it-works' },
      { label: nav.results, href: '#size-calculator' },
      { label: nav.faqs, href: '#faq' },
      { label: nav.providerMap, href: '/map' },
    ],
    action: { label: nav.findProvider, href: '#provider-form' },
  });
});

test('from other pages the anchors lead to the home page', () => {
  const { links, action } = navLinks('policy', false);
  expect(links[0]?.href).toBe('/#how-it-works');
  expect(action.href).toBe('/#provider-form');
});

test("a provider's site has no links to other providers", () => {
  const { links, action } = navLinks('microsite', true);
  expect(links.map(({ label }) => label)).toEqual([nav.howItWorks, nav.results, nav.faqs]);
  expect(action).toEqual({ label: nav.contactProvider, href: '#provider-form' });
});
