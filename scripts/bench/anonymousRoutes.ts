import { earlySegments, siteSegments } from '#server/app.ts';
import { extraPaths } from '#server/rest/endpoint.ts';
import { signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { restRoutes } from '#server/rest/routes.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { leadInput } from '#test/support/factories.ts';
import { everyProcedure } from '#test/support/procedures.ts';
import { paths } from '#shared/pages/paths.ts';
import { brandShareImagePath } from '#shared/shareImages/shareImage.ts';

export interface BenchRequest {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Clinics in the benchmark's database: ids 1 to so many, each with a host of its own. */
export const benchProviders = 500;

/** The benchmark server's secret, and the lead in its database whose author withdraws. */
export const benchSecretKey = 'a-key-for-the-benchmark-server-0001';
export const benchLeadPublicId = '6d0f2c1e-5b7a-4c3d-9e8f-0a1b2c3d4e5f';
const withdrawalToken = signWithdrawal([benchSecretKey], benchLeadPublicId);

/** One kind of request that anyone may send. Several rows may be of one route. */
export interface AnonymousRoute {
  /** Name of the registered route (registeredRoutes). */
  route: string;
  /** What tells this row from the others of its route. */
  variant?: string;
  status: number;
  /** How often anyone may ask. */
  limit: string;
  /** The most CPU time it may take, as a multiple of the cached front page's. */
  ratioMax: number;
  request: (index: number) => BenchRequest;
  /** Requests at most, where each is expensive or counts against a limit of all together. */
  requestsMax?: number;
  /** All requests come from one network, so that its limit is reached. */
  oneNetwork?: boolean;
}

/** Every route that anyone may ask for, as the routers know them. A row must name one of these, and each needs a row. */
export function registeredRoutes(): string[] {
  const procedures = everyProcedure.filter(({ access }) => access === null);
  const rows = restRoutes.filter(({ access }) => access === 'public');
  const segments = [...earlySegments, ...siteSegments].filter((segment) => segment !== 'trpc');
  return [
    ...Object.values(paths).map((path) => `page ${path}`),
    'page not found',
    'asset',
    ...procedures.map(({ path }) => `trpc ${path}`),
    ...rows.map(({ method, path }) => `rest ${method} ${path}`),
    ...rows.flatMap(({ path, plainForm }) => (plainForm === undefined ? [] : [`form ${path}`])),
    ...extraPaths.map((path) => `rest GET ${path}`),
    ...segments.map((segment) => `segment ${segment}`),
  ];
}

const none = 'none: kept in memory';
const oneRead = 'none: one indexed read';
const submissions = 'RATE_LIMIT_LEADS';
const oneClicks = '600 a minute, 6,000 an hour';
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
/** Bounds the rows that are answered from memory. */
const light = 20;
/** Bounds those that ask the database for a row. */
const medium = 50;
/** Bounds those that write or draw, whose limits bound how often. */
const heavy = 400;

const get = (path: string) => (): BenchRequest => ({ path });
const post =
  (path: string, body: (index: number) => object) =>
  (index: number): BenchRequest => ({
    method: 'POST',
    path,
    headers: json,
    body: JSON.stringify(body(index)),
  });
const postForm = (path: string, fields: () => Record<string, string>) => (): BenchRequest => ({
  method: 'POST',
  path,
  headers: form,
  body: new URLSearchParams(fields()).toString(),
});
const query = (procedure: string, input: object): string =>
  `/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`;
const providerId = (index: number): number => (index % benchProviders) + 1;

function leadForm(): Record<string, string> {
  const { first_name, last_name, email, phone, zip_code } = leadInput();
  return { first_name, last_name, email, phone, zip_code, acceptance_consent: 'true', form: 'landing' };
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
      request: get(path),
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
    route: 'form /api/leads',
    status: 303,
    limit: submissions,
    ratioMax: heavy,
    request: postForm('/api/leads', leadForm),
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

const trpc: AnonymousRoute[] = [
  {
    route: 'trpc applications.create',
    status: 200,
    limit: submissions,
    ratioMax: heavy,
    request: post('/trpc/applications.create', () => applicationInput()),
    requestsMax: 100,
  },
  {
    route: 'trpc applications.formToken',
    status: 200,
    limit: none,
    ratioMax: light,
    request: get('/trpc/applications.formToken'),
  },
  {
    route: 'trpc leads.create',
    status: 200,
    limit: submissions,
    ratioMax: heavy,
    request: post('/trpc/leads.create', () => leadInput()),
    requestsMax: 100,
  },
  {
    route: 'trpc leads.formToken',
    status: 200,
    limit: none,
    ratioMax: light,
    request: get(query('leads.formToken', { form: 'landing' })),
  },
  {
    route: 'trpc matching.preview',
    status: 200,
    limit: '20 a minute, 100 an hour',
    ratioMax: heavy,
    request: post('/trpc/matching.preview', () => ({ zip: '80202' })),
    requestsMax: 200,
  },
  {
    route: 'trpc places.locateZip',
    status: 200,
    limit: none,
    ratioMax: light,
    request: post('/trpc/places.locateZip', () => ({ zip: '80202' })),
  },
  {
    route: 'trpc providers.byDomain',
    status: 200,
    limit: oneRead,
    ratioMax: medium,
    request: (index) => ({
      path: query('providers.byDomain', { hostname: `map-${providerId(index) - 1}.example` }),
    }),
  },
  {
    route: 'trpc providers.get',
    status: 200,
    limit: oneRead,
    ratioMax: medium,
    request: (index) => ({ path: query('providers.get', { id: providerId(index) }) }),
  },
  {
    route: 'trpc providers.list',
    status: 200,
    limit: none,
    ratioMax: light,
    request: get(query('providers.list', {})),
  },
  {
    route: 'trpc staff.signIn',
    variant: 'wrong password',
    status: 401,
    limit: '5 in 15 minutes per network, 20 per account, then 2 an hour',
    ratioMax: 2_000,
    request: post('/trpc/staff.signIn', () => ({ password: 'wrong password' })),
    requestsMax: 10,
  },
  {
    route: 'trpc suppressions.unsubscribe',
    variant: 'bad token',
    status: 404,
    limit: none,
    ratioMax: light,
    request: post('/trpc/suppressions.unsubscribe', () => ({ token: 'no-such-token' })),
  },
  {
    route: 'trpc suppressions.unsubscribe',
    variant: 'valid token, again and again',
    status: 200,
    limit: oneClicks,
    ratioMax: heavy,
    request: post('/trpc/suppressions.unsubscribe', () => ({ token: withdrawalToken })),
    requestsMax: 200,
  },
];

const rest: AnonymousRoute[] = [
  {
    route: 'rest POST /api/leads',
    status: 201,
    limit: submissions,
    ratioMax: heavy,
    request: post('/api/leads', () => leadInput()),
    requestsMax: 100,
  },
  {
    route: 'rest POST /api/leads',
    variant: 'with errors',
    status: 422,
    limit: none,
    ratioMax: light,
    request: post('/api/leads', () => ({ first_name: 'x' })),
  },
  {
    route: 'rest GET /api/leads/token',
    status: 200,
    limit: none,
    ratioMax: light,
    request: get('/api/leads/token?form=landing'),
  },
  {
    route: 'rest POST /api/unsubscribe',
    variant: 'bad token',
    status: 404,
    limit: none,
    ratioMax: light,
    request: post('/api/unsubscribe?token=no-such-token', () => ({})),
  },
  {
    route: 'rest POST /api/unsubscribe',
    variant: 'valid token, again and again',
    status: 200,
    limit: oneClicks,
    ratioMax: heavy,
    request: post(`/api/unsubscribe?token=${withdrawalToken}`, () => ({})),
    requestsMax: 200,
  },
  {
    route: 'rest POST /api/provider-applications',
    status: 201,
    limit: submissions,
    ratioMax: heavy,
    request: post('/api/provider-applications', () => applicationInput()),
    requestsMax: 100,
  },
  {
    route: 'rest GET /api/providers',
    status: 200,
    limit: none,
    ratioMax: light,
    request: get('/api/providers'),
  },
  {
    route: 'rest GET /api/providers',
    variant: 'uncompressed',
    status: 200,
    limit: 'none: kept up to 8 MiB, then streamed',
    ratioMax: light,
    request: () => ({ path: '/api/providers', headers: { 'accept-encoding': 'identity' } }),
  },
  {
    route: 'rest GET /api/providers/{id}',
    status: 200,
    limit: oneRead,
    ratioMax: medium,
    request: (index) => ({ path: `/api/providers/${providerId(index)}` }),
  },
  {
    route: 'rest GET /api/providers/domain/{hostname}',
    status: 200,
    limit: oneRead,
    ratioMax: medium,
    request: (index) => ({ path: `/api/providers/domain/map-${providerId(index) - 1}.example` }),
  },
  {
    route: 'rest GET /api/openapi.json',
    status: 200,
    limit: none,
    ratioMax: light,
    request: get('/api/openapi.json'),
  },
  {
    route: 'rest GET /api/unsubscribe',
    variant: 'bad token',
    status: 302,
    limit: none,
    ratioMax: light,
    request: get('/api/unsubscribe?token=no-such-token'),
  },
  {
    route: 'rest GET /api/domains/verify',
    status: 200,
    limit: none,
    ratioMax: light,
    request: (index) => ({ path: `/api/domains/verify?domain=map-${providerId(index) - 1}.example` }),
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
    request: (index) => ({ path: `/media/logo/${providerId(index)}` }),
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
  {
    route: 'segment ads',
    variant: 'no ad ids',
    status: 404,
    limit: none,
    ratioMax: light,
    request: get('/ads/conversion'),
  },
  ...['outcome', 'withdraw'].map((segment) => ({
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
    request: postForm(`/withdraw/${withdrawalToken}`, () => ({})),
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
    route: 'segment .well-known',
    status: 200,
    limit: none,
    ratioMax: light,
    request: get('/.well-known/gpc.json'),
  },
];

export const anonymousRoutes: readonly AnonymousRoute[] = [...pages, ...forms, ...trpc, ...rest, ...segments];
