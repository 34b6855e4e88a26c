import { expect, test } from 'vitest';
import type { Boot } from '#shared/pages/boot.ts';
import { meets } from '#test/support/meets.ts';
import { pageDataFor } from './pageCode.ts';

const contacts = {
  email: 'hello@example.com',
  phone: '(555) 555-0100',
  phoneHref: 'tel:+15555550100',
  postalAddress: '100 Example Street',
  arbitrationPlace: 'Springfield, Illinois',
};
const boot: Boot = {
  site: {
    mainOrigin: 'https://brand.example',
    contacts,
    providerSignupUrl: 'https://example.com/join',
    starterKitUrl: 'https://example.com/kit',
    mapTilesUrl: null,
    measuresAds: false,
    offerEndsAt: null,
  },
  hiddenClaims: [],
  tenant: null,
  page: { kind: 'landing', form: null },
  formToken: '',
  today: '2026-11-21',
};

test.each([
  ['/', '', { kind: 'landing', form: null }],
  ['/success', '?providerId=12', { kind: 'success', noProvider: false, providerId: 12, provider: null }],
  ['/success', '?noProvider=true', { kind: 'success', noProvider: true, providerId: null, provider: null }],
  [
    '/success',
    '?noProvider=TRUE&providerId=12',
    { kind: 'success', noProvider: false, providerId: 12, provider: null },
  ],
  [
    '/success',
    '?noProvider=yes&providerId=1.5',
    { kind: 'success', noProvider: false, providerId: null, provider: null },
  ],
  [
    '/success',
    '?noProvider=true&providerId=12',
    { kind: 'success', noProvider: true, providerId: null, provider: null },
  ],
  ['/privacy', '', { kind: 'policy', policy: 'privacy' }],
  ['/terms', '', { kind: 'policy', policy: 'terms' }],
  ['/refunds', '', { kind: 'policy', policy: 'refunds' }],
])('the browser knows the page at %s%s', (path, search, page) => {
  meets('P7.call.05 P2.success.01 P2.success.11');
  expect(pageDataFor(path, search, boot)).toEqual(page);
});

test.each([
  ['/', '?providerId=3'],
  ['/microsite', ''],
  ['/terms/', ''],
  ['/admin', ''],
  ['/no-such-page', ''],
])('the browser leaves %s%s to the server', (path, search) => {
  expect(pageDataFor(path, search, boot)).toBeNull();
});
