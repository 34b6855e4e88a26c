import { describe, expect, test } from 'vitest';
import type { Caller } from '#server/caller.ts';
import { toRecord } from '#server/tenant/providerRecord.ts';
import { providerView } from '#test/support/tenantView.ts';
import { isForeign } from './spam.ts';

const tenant = toRecord(providerView({ id: 7, name: 'Sample Clinic' }));
const mainDomains = ['main.example', 'other-main.example'];
const main: Caller['site'] = { kind: 'main', host: 'main.example', tenant: null };
const loopback: Caller['site'] = { kind: 'main', host: 'localhost', tenant: null };
const provider = (host: string): Caller['site'] => ({ kind: 'tenant', host, tenant });
const unknown: Caller['site'] = { kind: 'unknown', host: '[2001:db8::1]', tenant: null };

function judged(
  site: Caller['site'],
  origin: string | null,
  fetchSite: string | null,
  transport: Caller['transport'] = 'form',
): boolean {
  return isForeign({ site, origin, fetchSite, transport }, { mainDomains, production: true });
}

describe('the origin of a submission', () => {
  test.each<[string, Caller['site'], string | null, string | null]>([
    ['a script without either header', main, null, null],
    ['a main domain’s own page', main, 'https://main.example', 'same-origin'],
    ['an older browser’s own page', main, 'https://main.example', null],
    ['a page with www.', main, 'https://www.main.example', 'same-site'],
    ['a page of the other main domain', main, 'https://other-main.example', null],
    ['http, where a proxy ends TLS', provider('clinic.example'), 'http://clinic.example', null],
    ['a clinic’s own page, written in capitals', provider('clinic.example'), 'https://Clinic.Example', null],
    ['a clinic’s page by its IDN', provider('xn--klnik-dta.example'), 'https://klïnik.example', null],
    ['development with a port', loopback, 'http://localhost:3000', null],
    [
      'a clinic in development',
      provider('juniper.localhost'),
      'http://juniper.localhost:3000',
      'same-origin',
    ],
    ['a proxy that rewrites the host', loopback, 'https://main.example', 'same-origin'],
    ['an address in brackets', unknown, 'http://[2001:DB8::1]:8080', null],
    ['a browser that hides its origin', main, 'null', 'same-origin'],
    ['a request without Origin from the same site', main, null, 'same-site'],
  ])('is its own for %s', (_, site, origin, fetchSite) => {
    expect(judged(site, origin, fetchSite)).toBe(false);
  });

  test.each<[string, Caller['site'], string | null, string | null]>([
    ['another site, as the browser says', main, 'https://evil.example', 'cross-site'],
    ['another site that hides its origin', main, null, 'cross-site'],
    ['another site, by an older browser', main, 'https://evil.example', null],
    [
      'a neighbor under the same domain',
      provider('a.clinics.example'),
      'https://b.clinics.example',
      'same-site',
    ],
    ['a clinic’s page that posts to the main domain', main, 'https://clinic.example', null],
    ['a main page that posts to a clinic', provider('clinic.example'), 'https://main.example', null],
    ['a host that only begins alike', main, 'https://main.example.evil.example', null],
    ['a name and password that look like the host', main, 'https://main.example@evil.example', null],
    ['an origin that isn’t one', main, 'main.example', null],
    ['a file', main, 'file://', null],
    ['a sandboxed frame', main, 'null', null],
    ['a sandboxed frame, as the browser says', main, 'null', 'cross-site'],
    ['a typed address with a hidden origin', main, 'null', 'none'],
  ])('is foreign for %s', (_, site, origin, fetchSite) => {
    expect(judged(site, origin, fetchSite)).toBe(true);
  });

  test('a hidden origin says nothing of JSON, which no page can send to another origin', () => {
    expect(judged(main, 'null', null, 'rest')).toBe(false);
    expect(judged(main, 'null', null, 'trpc')).toBe(false);
    expect(judged(main, 'https://evil.example', null, 'trpc')).toBe(true);
  });
});
