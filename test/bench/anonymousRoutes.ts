import { handledSegments } from '#server/app.ts';
import { extraPaths, inboundMailPath } from '#server/rest/endpoint.ts';
import { restRoutes } from '#server/rest/routes.ts';
import { everyProcedure } from '#test/support/procedures.ts';
import { paths } from '#shared/pages/paths.ts';
import { brandShareImagePath } from '#shared/shareImages/shareImage.ts';
import {
  type AnonymousRoute,
  get,
  heavy,
  leadForm,
  light,
  medium,
  none,
  oneRead,
  postForm,
  providerId,
  submissions,
  withdrawalToken,
} from './anonymousRequests.ts';
import { restRows, trpcRows } from './anonymousApi.ts';

/**
 * Every route that anyone may ask for, as the routers know them. A row must name one of these, and each needs a row.
 */
export function registeredRoutes(): string[] {
  const procedures = everyProcedure.filter(({ access }) => access === null);
  const rows = restRoutes.filter(({ access }) => access === 'public');
  return [
    ...Object.values(paths).map((path) => `page ${path}`),
    'page not found',
    'asset',
    ...procedures.map(({ path }) => `trpc ${path}`),
    ...rows.map(({ method, path }) => `rest ${method} ${path}`),
    ...rows.flatMap(({ path, plainForm }) => (plainForm === undefined ? [] : [`form ${path}`])),
    ...extraPaths.map((path) => `rest GET ${path}`),
    `rest POST ${inboundMailPath}`,
    ...handledSegments.flatMap((segment) => (segment === 'trpc' ? [] : [`segment ${segment}`])),
  ];
}

/** The pages: cached ones alike, then those with something of their own. */
const pages: AnonymousRoute[] = [
  ...Object.values(paths)
    .filter((path) => path !== paths.admin && path !== paths.gate && path !== paths.microsite)
    .map((path) => ({
      route: `page ${path}`,
      status: 200,
      limit: none,
      ratioMax: light,
      // The bare confirmation is a redirect.
      request: get(path === paths.success ? `${path}?noProvider=true` : path),
    })),
  {
    route: `page ${paths.microsite}`,
    status: 200,
    limit: none,
    ratioMax: light,
    request: (index) => ({ path: `${paths.microsite}?providerId=${providerId(index)}` }),
  },
  {
    route: `page ${paths.microsite}`,
    variant: 'unknown provider',
    status: 404,
    limit: none,
    ratioMax: light,
    request: (index) => ({ path: `${paths.microsite}?providerId=${900_000 + index}` }),
  },
  {
    route: `page ${paths.providers}`,
    variant: 'a state',
    status: 200,
    limit: oneRead,
    ratioMax: medium,
    request: get(`${paths.providers}/co`),
  },
  {
    route: `page ${paths.providers}`,
    variant: 'no such town',
    status: 404,
    limit: none,
    ratioMax: light,
    request: (index) => ({ path: `${paths.providers}/co/no-such-town-${index}` }),
  },
  {
    route: `page ${paths.success}`,
    variant: 'unknown provider',
    status: 200,
    limit: none,
    ratioMax: light,
    request: (index) => ({ path: `${paths.success}?providerId=${900_000 + index}` }),
  },
  ...[paths.admin, paths.gate].map((path) => ({
    route: `page ${path}`,
    status: 200,
    limit: none,
    ratioMax: light,
    request: get(path),
  })),
  {
    route: 'page not found',
    status: 404,
    limit: none,
    ratioMax: light,
    request: (index) => ({ path: `/no-such-page-${index}` }),
  },
  { route: 'asset', status: 200, limit: none, ratioMax: light, request: get('/favicon.svg') },
];

const forms: AnonymousRoute[] = [
  {
    route: 'form /api/problem-reports',
    status: 303,
    limit: submissions,
    ratioMax: heavy,
    request: postForm('/api/problem-reports', () => ({ what: 'Nobody called.' })),
    requestsMax: 100,
  },
  {
    route: 'form /api/leads',
    status: 303,
    limit: submissions,
    ratioMax: heavy,
    request: postForm('/api/leads', leadForm),
    requestsMax: 100,
  },
  {
    route: 'form /api/areas',
    status: 200,
    limit: '20 a minute, 100 an hour',
    ratioMax: heavy,
    request: postForm('/api/areas', () => ({ area_zip: '80202' })),
    requestsMax: 100,
  },
  ...['/api/leads', '/api/provider-applications'].map((path) => ({
    route: `form ${path}`,
    variant: 'with errors',
    status: 422,
    limit: '30 a minute, then a small page',
    ratioMax: heavy,
    request: postForm(path, () => ({ first_name: 'x', form: 'landing' })),
    requestsMax: 100,
  })),
  {
    route: 'form /api/leads',
    variant: 'with errors, over the limit',
    status: 429,
    limit: none,
    ratioMax: light,
    request: postForm('/api/leads', () => ({ first_name: 'x', form: 'landing' })),
    oneNetwork: true,
  },
];

const segments: AnonymousRoute[] = [
  { route: 'segment healthz', status: 200, limit: none, ratioMax: light, request: get('/healthz') },
  { route: 'segment readyz', status: 200, limit: oneRead, ratioMax: medium, request: get('/readyz') },
  {
    route: 'segment metrics',
    variant: 'a stranger',
    status: 404,
    limit: none,
    ratioMax: light,
    request: get('/metrics'),
  },
  {
    route: 'segment media',
    variant: 'no picture',
    status: 404,
    limit: '60 fetches a minute, 300 in all',
    ratioMax: light,
    request: (index) => ({ path: `/media/image/${providerId(index)}` }),
  },
  {
    route: 'segment og',
    status: 200,
    limit: '20 drawings a minute, 180 in all',
    ratioMax: light,
    request: get(brandShareImagePath),
  },
  {
    route: 'segment og',
    variant: 'another tag',
    status: 302,
    limit: none,
    ratioMax: light,
    request: (index) => ({ path: `/og/${providerId(index)}/0.png` }),
  },
  ...['favicon.svg', 'site.webmanifest'].map((segment) => ({
    route: `segment ${segment}`,
    status: 200,
    limit: none,
    ratioMax: light,
    request: get(`/${segment}`),
  })),
  ...['apple-touch-icon.png', 'icon-192.png', 'icon-512.png'].map((segment) => ({
    route: `segment ${segment}`,
    status: 200,
    limit: '20 drawings a minute, 180 in all',
    ratioMax: light,
    request: get(`/${segment}`),
  })),
  {
    route: 'segment ads',
    variant: 'no ad ids',
    status: 404,
    limit: none,
    ratioMax: light,
    request: get('/ads/conversion'),
  },
  {
    route: 'segment contacts',
    status: 200,
    limit: none,
    ratioMax: light,
    request: (index) => ({ path: `/contacts/${providerId(index)}.vcf` }),
  },
  ...['confirm-address', 'outcome', 'sign-in', 'weekly-email', 'withdraw'].map((segment) => ({
    route: `segment ${segment}`,
    variant: 'bad token',
    status: 404,
    limit: none,
    ratioMax: light,
    request: (index: number) => ({ path: `/${segment}/no-such-token-${index}` }),
  })),
  {
    route: 'segment withdraw',
    variant: 'valid token, again and again',
    status: 303,
    limit: '60 a minute, 600 an hour',
    ratioMax: heavy,
    request: postForm(`/withdraw/${withdrawalToken}`, () => ({ 'List-Unsubscribe': 'One-Click' })),
    requestsMax: 200,
  },
  { route: 'segment robots.txt', status: 200, limit: none, ratioMax: light, request: get('/robots.txt') },
  {
    route: 'segment sitemap.xml',
    status: 200,
    limit: none,
    ratioMax: light,
    request: get('/sitemap.xml'),
  },
  {
    route: 'segment sitemap.xml',
    variant: 'no such part',
    status: 404,
    limit: '300 a minute',
    ratioMax: medium,
    request: get('/sitemap.xml?part=999999'),
  },
  {
    route: 'segment .well-known',
    status: 200,
    limit: none,
    ratioMax: light,
    request: get('/.well-known/gpc.json'),
  },
];

export const anonymousRoutes: readonly AnonymousRoute[] = [
  ...pages,
  ...forms,
  ...trpcRows,
  ...restRows,
  ...segments,
];
