import { expect, test } from 'vitest';
import { providerRecord } from '#test/support/tenantView.ts';
import { meets } from '#test/support/meets.ts';
import { townListing } from '#test/support/everyPage.ts';
import type { DirectoryPlace } from '#shared/pages/directory.ts';
import type { ProviderRecord } from '../tenant/providerRecord.ts';
import type { Site } from '../tenant/site.ts';
import { choosePage } from './pageRoute.ts';

function provider(id: number): ProviderRecord {
  return providerRecord({ id, name: `Clinic ${id}`, domain: `clinic${id}.example` });
}

const known = new Map([7, 8].map((id) => [id, provider(id)]));
const tenants = { findById: (id: number) => Promise.resolve(known.get(id) ?? null) };
const firstProviders = { get: () => ({ key: 'none', total: 0, entries: [], states: [], radiusMiles: 100 }) };
const directory = {
  find: ({ state }: DirectoryPlace) => (state === 'xx' ? null : townListing),
};
const main: Site = { kind: 'main', host: 'brand.example', tenant: null };
const unknown: Site = { kind: 'unknown', host: 'who.example', tenant: null };
const own: Site = { kind: 'tenant', host: 'clinic8.example', tenant: provider(8) };

async function screen(site: Site, address: string): Promise<string> {
  const [path = '', query = ''] = address.split('?');
  const choice = await choosePage(
    { path, query, site, isOfferOver: false },
    { tenants, firstProviders, directory },
  );
  if ('redirect' in choice)
    return `${choice.kind === 'permanent' ? '' : `${choice.kind} `}-> ${choice.redirect}`;
  const { page, status } = choice;
  const about =
    'provider' in page ? (page.provider?.id ?? 'none') : page.kind === 'policy' ? page.policy : '';
  return `${status} ${page.kind} ${about}`.trim();
}

test.each([
  ['/', '200 landing'],
  ['/?utm_source=x&success=1', '200 landing'],
  ['/?providerId=7', '200 microsite 7'],
  ['/microsite?providerId=7', '200 microsite 7'],
  ['/?providerId=9', '404 providerNotFound'],
  ['/?providerId=', '200 landing'],
  ['/microsite?providerId=', '404 providerNotFound'],
  ['/?providerId=07', '200 microsite 7'],
  ['/?providerId=7%20', '200 microsite 7'],
  ['/microsite?providerId=7)', '200 microsite 7'],
  ['/?providerId=%227%22', '200 microsite 7'],
  ['/?providerId=x7', '404 providerNotFound'],
  ['/?providerId=-7', '404 providerNotFound'],
  ['/?providerId=99999999999999999999', '404 providerNotFound'],
  ['/?providerId=4294967303', '404 providerNotFound'],
  ['/?providerId[]=7', '200 landing'],
  ['/microsite', '404 providerNotFound'],
  ['/success?providerId=7', '200 success 7'],
  ['/success?providerId=7.', '200 success 7'],
  ['/success?providerId=9', '200 success none'],
  ['/success?noProvider=true', '200 success none'],
  ['/success?noProvider=true&providerId=7', '200 success none'],
  ['/success', '200 success none'],
  ['/terms', '200 policy terms'],
  ['/terms/', '-> /terms'],
  ['/success/?providerId=7', '-> /success?providerId=7'],
  ['//', '-> /'],
  ['//evil.example/', '404 notFound'],
  ['//evil.example/terms/', '404 notFound'],
  ['/terms//', '404 notFound'],
  ['/TERMS', '404 notFound'],
  ['/terms%2f', '404 notFound'],
  ['/%', '404 notFound'],
  ['/providers', '200 directory'],
  ['/providers/co/denver?page=2', '200 directory'],
  ['/providers/xx', '404 notFound'],
  ['/providers?page=0', '404 notFound'],
  ['/providers/co/denver?page=1.5', '404 notFound'],
  ['/providers/co/denver/one', '404 notFound'],
  ['/providers/co//', '404 notFound'],
  ['/providers/co/%E6%9D%B1', '404 notFound'],
  ['/Providers/', '-> /providers'],
  ['/providers/CO/Denver/?utm_source=x', '-> /providers/co/denver?utm_source=x'],
  ['/providers/ca/San%20Jos%C3%A9?page=2', '-> /providers/ca/san-jose?page=2'],
  ["/providers/id/coeur-d'alene", '-> /providers/id/coeur-dalene'],
  ['/admin', '200 admin'],
  ['/getmpx', '200 admin'],
  ['/admin/', '-> /admin'],
])('on the main site %s shows: %s', async (address, expected) => {
  meets(`
    P7.call.03 P7.call.04 P7.call.05 P2.routes.03 P2.routes.11 P2.routes.17 P2.routes.19
    P2.routes.20 P2.success.02 P2.success.11 P2.micro.04
  `);
  expect(await screen(main, address)).toBe(expected);
});

test.each([
  ['/', '200 microsite 8'],
  ['/?providerId=7', '200 microsite 8'],
  ['/microsite', '200 microsite 8'],
  ['/microsite?providerId=7', '200 microsite 8'],
  ['/success?providerId=7', '200 success 8'],
  ['/success?noProvider=true', '200 success 8'],
  ['/success', '200 success 8'],
  ['/study?reported=true', '200 study'],
  ['/privacy', '200 policy privacy'],
  ['/map', '200 location 8'],
  ['/start', 'ownSite -> /#provider-form'],
  ['/start?utm_source=x&providerId=7', 'ownSite -> /?utm_source=x&providerId=7#provider-form'],
  ['/find', 'ownSite -> /#provider-form'],
  ['/homev2', 'ownSite -> /#provider-form'],
  ['/clinics', 'mainSite -> /clinics'],
  ['/clinics?applied=true', 'mainSite -> /clinics?applied=true'],
  ['/start/?a=1', '-> /start?a=1'],
  ['/nothing', '404 notFound'],
  ['/providers', '404 notFound'],
  ['/providers/co/denver', '404 notFound'],
  ['/Providers/CO', '404 notFound'],
  ['/admin', '404 notFound'],
  ['/getmpx', '404 notFound'],
])("on a clinic's own host %s shows: %s", async (address, expected) => {
  meets('D.conformity.27 P2.routes.02 P2.routes.05 P2.routes.12 P2.success.01 P2.success.30');
  expect(await screen(own, address)).toBe(expected);
});

test.each([
  ['/', '200 landing'],
  ['/?providerId=7', '200 landing'],
  ['/microsite?providerId=7', '404 providerNotFound'],
  ['/map', '200 map'],
  ['/start', '200 quiz'],
  ['/clinics', '200 recruitment'],
  ['/providers/co', '200 directory'],
  ['/admin', '404 notFound'],
])('on an unknown host %s shows: %s', async (address, expected) => {
  meets('P2.routes.01');
  expect(await screen(unknown, address)).toBe(expected);
});
