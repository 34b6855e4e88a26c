import { expect, test } from 'vitest';
import { applyLabel } from '#shared/brand/calls.ts';
import { chrome } from '#shared/brand/chrome.ts';
import { meets } from '#test/support/meets.ts';
import { headerLinks, navLinks } from './navLinks.ts';

const { nav } = chrome;

test('the main site has the specified links, as anchors on the landing page', () => {
  meets('P2.nav.02 P2.nav.03 P2.nav.04 P2.nav.05 P2.nav.06');
  expect(navLinks('landing')).toEqual({
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
  meets('P2.nav.07');
  const { links, action } = navLinks('policy');
  expect(links[0]?.href).toBe('/#how-it-works');
  expect(action.href).toBe('/#provider-form');
});

test('a microsite has the same links, as its own anchors', () => {
  expect(navLinks('microsite')).toEqual(navLinks('landing'));
});

test('a provider’s host offers directions to it and a consultation with it', () => {
  const { links, action } = navLinks('policy', { isTenant: true });
  expect(links.at(-1)).toEqual({ label: nav.directions, href: '/map' });
  expect(action).toEqual({ label: nav.request, href: '/#provider-form' });
  expect(headerLinks('microsite', { isTenant: true }).action).toEqual({
    label: nav.request,
    href: '#provider-form',
  });
});

test('the recruitment page has a header of its own, and the site’s links in its footer', () => {
  meets('D.conformity.52');
  const { links, action } = headerLinks('recruitment');
  expect(links.map(({ href }) => href)).toEqual(['#key-points', '#research', '#get-started', '#faq']);
  expect(action).toEqual({ label: applyLabel, href: '#provider-form' });
  expect(navLinks('recruitment').action).toEqual({ label: nav.findProvider, href: '/#provider-form' });
  expect(headerLinks('policy')).toEqual(navLinks('policy'));
});
