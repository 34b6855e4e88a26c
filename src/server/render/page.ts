import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FormState } from '#shared/pages/boot.ts';
import { applicationFormKey } from '#shared/applications/applications.ts';
import { problemFormKey } from '#shared/claims/problemFields.ts';
import { parseProviderId } from '#shared/formats/providerIdParam.ts';
import { isBareConfirmation, pages as pageEntries, type Redirect } from '#shared/pages/pages.ts';
import type { SignInWay } from '#shared/admin/secondFactor.ts';
import { paths } from '#shared/pages/paths.ts';
import type { AppError } from '../errors.ts';
import { acceptedEncodings, isOptedOut, matchesEtag } from '../http/requestHeaders.ts';
import { buildCaller } from '../http/caller.ts';
import { rawSecurityHeaders } from '../http/securityHeaders.ts';
import { createLocalLimiter } from '../security/localLimiter.ts';
import type { TokenForm } from '../features/submissions/formToken.ts';
import type { FormSnapshots } from '../features/consent/formSnapshots.ts';
import { isDashboardConfigured } from '../features/auth/accounts.ts';
import { signedInMember } from '../features/auth/signIn.ts';
import { findOpenStep } from '../features/auth/totpSteps.ts';
import type { ProviderRecord } from '../tenant/providerRecord.ts';
import type { Awaitable } from '../tenant/site.ts';
import type { AppContext, AppMiddleware } from '../tenant/tenant.ts';
import { publicConfig } from '../config/config.ts';
import type { Services } from '../services.ts';
import { type Boots, createBoots, createFormSnapshots } from './boots.ts';
import type { Bundle } from './bundle.ts';
import { developmentPolicy, pagePolicy, getTilesOrigin } from './csp.ts';
import { renderDocument } from './document.ts';
import type { PageBody } from './cache/hotPages.ts';
import { createPageCache } from './cache/pageCache.ts';
import { sendFormNotTaken, sendTooManyFailures } from './plainScreen.ts';
import { type ChosenPage, choosePage, type PageChoice } from './pageRoute.ts';

const compressGzip = promisify(gzip);

export interface Pages {
  /** Answers every path that no earlier middleware answered. */
  middleware: AppMiddleware;
  /** Paths whose GET and HEAD it answers from memory on any site, with all headers. */
  cachedPaths: ReadonlySet<string>;
  /**
   * The page of a plain form that failed, with the entered values and the errors. The response has the error's status
   * and is never stored. A network that sends more than 30 invalid forms in a minute gets 429 and a small page. Server
   * failures and rate limits are not errors of the form: after 30 of them, a small page has the error's own status.
   */
  renderFormFailure: (
    ctx: AppContext,
    form: TokenForm,
    values: Record<string, string>,
    error: AppError,
  ) => Promise<void>;
  /** The page of a plain form with an answer to what was posted, never stored. The procedure limits how often. */
  renderForm: (ctx: AppContext, form: TokenForm, state: FormState) => Promise<void>;
  formSnapshots: FormSnapshots;
}

interface Deps {
  services: Pick<Services, 'config' | 'db' | 'health' | 'publicReads' | 'log' | 'tenants' | 'now'> & {
    providers: Pick<Services['providers'], 'firstProviders' | 'directory'>;
    submissions: Pick<Services['submissions'], 'formTokens'>;
  };
  bundle: Bundle;
}

/**
 * Marks a page whose browser sent Global Privacy Control. The page's bytes are the same for everyone and cached, so
 * its scripts read this header (client/browser/optOut.ts) besides the browser's own property.
 */
const optOutTiming = 'gpc';
const htmlType = 'text/html; charset=utf-8';
/** Each failed form is rendered for one request, which costs several times as much as the other public pages. */
const failedFormLimits = { points: 30, windowSeconds: 60 };

const publicPaths = Object.values(pageEntries).flatMap((page) =>
  page.onTenant === 'mainOnly' ? [] : page.paths,
);

/** The public pages: the page of a path, rendered or from the cache, with its headers. */
export function createPages({ services, bundle }: Deps): Pages {
  const { config, now, tenants, log } = services;
  const { mainOrigin } = publicConfig(config);
  const boots = createBoots(services);
  const cache =
    bundle.development === null
      ? createPageCache({ bundle, boots, log, templates: config.pageTemplates })
      : null;
  const failedForms = createLocalLimiter(failedFormLimits);
  const formsNotTaken = createLocalLimiter(failedFormLimits);

  function send(ctx: AppContext, choice: PageChoice): Awaitable<void> {
    if ('redirect' in choice) {
      ctx.status = choice.kind === 'permanent' ? 308 : 307;
      ctx.set('Location', `${choice.kind === 'mainSite' ? mainOrigin : ''}${choice.redirect}`);
      ctx.body = '';
      return undefined;
    }
    const { page, status } = choice;
    if (pageEntries[page.kind].canonical === undefined) ctx.set('X-Robots-Tag', 'noindex');
    if (page.kind === 'admin') return sendAdmin(ctx);
    return cache === null
      ? sendRendered(ctx, { bundle, boots, page, status })
      : sendCached(ctx, cache, choice);
  }

  /** Rendered for a signed-in member, never stored. Sign-in is the same for everyone; a 404 if nobody can sign in. */
  async function sendAdmin(ctx: AppContext): Promise<void> {
    const caller = buildCaller(ctx, 'internal');
    const member = await services.publicReads.ask(() => signedInMember(services, caller));
    const signInStep =
      member === null ? await services.publicReads.ask(() => findOpenStep(services, caller)) : null;
    const ways: SignInWay[] = [
      ...(config.adminPasswordHash === null ? [] : (['shared-password'] as const)),
      ...(config.oidc === null ? [] : (['single-sign-on'] as const)),
    ];
    const page = { kind: 'admin', member, step: signInStep?.step ?? null, ways } as const;
    if (member === null && signInStep === null && cache !== null) {
      const hasDashboard = await services.publicReads.ask(() => isDashboardConfigured(services));
      await sendCached(
        ctx,
        cache,
        hasDashboard ? { page, status: 200 } : { page: { kind: 'notFound' }, status: 404 },
      );
      return;
    }
    await sendRendered(ctx, { bundle, boots, page, status: 200 });
  }

  /** The deadline has passed by the server's clock. */
  function isOfferOver(): boolean {
    return config.offerEndsAt !== null && now() >= config.offerEndsAt;
  }

  /** The page of a plain form, with the form's state. */
  async function formPage(ctx: AppContext, form: TokenForm, state: FormState): Promise<ChosenPage> {
    if (form === applicationFormKey)
      return {
        kind: 'recruitment',
        form: state,
        applied: false,
        fromVisitor: false,
        isOfferOver: isOfferOver(),
      };
    if (form === problemFormKey) return { kind: 'study', form: state, reported: false, fromClinics: false };
    const { site } = ctx.state;
    const named =
      site.kind === 'main' ? parseProviderId(new URLSearchParams(ctx.querystring).get('providerId')) : null;
    const requested = form !== 'microsite' || named === null ? null : await tenants.findById(named);
    const provider = site.tenant ?? requested;
    const path = URL.parse(ctx.get('Referer'))?.pathname ?? null;
    return failedPage(form, provider, path, state);
  }

  return {
    cachedPaths: new Set(cache === null ? [] : publicPaths),
    formSnapshots: createFormSnapshots({ bundle, boots }),
    middleware(ctx) {
      if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return refuseMethod(ctx);
      if (isOptedOut(ctx.req)) ctx.set('Server-Timing', optOutTiming);
      if (leadsHome(ctx)) return sendHome(ctx);
      const { site } = ctx.state;
      const choice = choosePage(
        { path: ctx.path, query: ctx.querystring, site, isOfferOver: isOfferOver() },
        { ...services.providers, tenants: services.tenants },
      );
      return choice instanceof Promise ? choice.then((made) => send(ctx, made)) : send(ctx, choice);
    },
    async renderForm(ctx, form, state) {
      await sendRendered(ctx, { bundle, boots, page: await formPage(ctx, form, state), status: 200 });
      await compressBody(ctx);
    },
    async renderFormFailure(ctx, form, values, error) {
      const isFormsFault = error.status < 500 && error.status !== 429;
      const waitSeconds = await (isFormsFault ? failedForms : formsNotTaken).take(ctx.state.client.ip);
      if (waitSeconds !== null) {
        if (isFormsFault) sendTooManyFailures(ctx, waitSeconds);
        else sendFormNotTaken(ctx, error);
        return;
      }
      const state = { values, errors: error.fields ?? {}, message: error.message };
      const page = await formPage(ctx, form, state);
      if (error.retryAfterSeconds !== undefined)
        ctx.set('Retry-After', String(Math.ceil(error.retryAfterSeconds)));
      await sendRendered(ctx, { bundle, boots, page, status: error.status });
      await compressBody(ctx);
    },
  };
}

/** On a provider's host, the page itself says nothing of a lead then. */
function leadsHome(ctx: AppContext): boolean {
  if (ctx.path !== paths.success || ctx.state.site.kind === 'tenant' || ctx.get('Referer') !== '')
    return false;
  return isBareConfirmation(new URLSearchParams(ctx.querystring));
}

function sendHome(ctx: AppContext): void {
  ctx.status = 302;
  ctx.set('Location', paths.home);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = '';
}

/** The page of a failed form. If two pages have the same form, the one that sent it. */
function failedPage(
  form: TokenForm,
  provider: ProviderRecord | null,
  path: string | null,
  state: FormState,
): ChosenPage {
  // A tenant's host has no other form's page.
  if (provider !== null) return { kind: 'microsite', provider, form: state };
  if (form === 'quiz' || form === 'find') return { kind: form, form: state };
  return { kind: form === 'landing' && path === paths.variant ? 'variant' : 'landing', form: state };
}

function refuseMethod(ctx: AppContext): void {
  ctx.status = 405;
  ctx.set('Allow', 'GET, HEAD');
  ctx.body = 'Method Not Allowed';
}

type ShownPage = Exclude<PageChoice, Redirect>;

/** Writes the response directly with all headers in one call; a header that was set before would double the time. */
function sendCached(
  ctx: AppContext,
  cache: ReturnType<typeof createPageCache>,
  { page: chosen, status }: ShownPage,
): Awaitable<void> {
  const { req, res, state } = ctx;
  const { protocol } = state.client;
  const page = cache.get(chosen, state.site.tenant);
  const mayBeKept = chosen.kind !== 'admin';
  const headers = [
    ...rawSecurityHeaders[protocol],
    'X-Request-Id',
    state.requestId,
    'Content-Security-Policy',
    page.policies[protocol],
    'Cache-Control',
    mayBeKept ? 'public, max-age=0, must-revalidate' : 'no-store',
    'Vary',
    'Accept-Encoding',
    ...(mayBeKept ? ['ETag', page.etag] : []),
  ];
  ctx.respond = false;
  // A condition applies to an existing page (RFC 9110 section 13.2.1): a 404 stays a 404.
  if (status === 200 && mayBeKept && matchesEtag(req.headers['if-none-match'], page.etag)) {
    res.writeHead(304, headers).end();
    return undefined;
  }
  const encodings = acceptedEncodings(headerText(req.headers['accept-encoding']));
  const body = page.body(encodings);
  function write({ encoding, bytes, release }: PageBody): void {
    headers.push('Content-Type', htmlType);
    if (encoding !== 'identity') headers.push('Content-Encoding', encoding);
    headers.push('Content-Length', String(bytes.length));
    res.writeHead(status, headers);
    // For HEAD, Node leaves out the body.
    if (release !== null) res.end(bytes, release);
    else res.end(bytes);
  }
  const smaller = encodings[0] === 'br' && body.encoding !== 'br' ? cache.compressForOne(page) : null;
  if (smaller === null) return write(body);
  return smaller.then(
    (bytes) => write({ encoding: 'br', bytes, release: null }),
    () => write(body),
  );
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(',') : header;
}

interface RenderedPage {
  bundle: Bundle;
  boots: Boots;
  page: ChosenPage;
  status: number;
}

/** Compresses a page that was rendered for one request, off the main thread, if the client accepts it. */
async function compressBody(ctx: AppContext): Promise<void> {
  ctx.set('Vary', 'Accept-Encoding');
  if (typeof ctx.body !== 'string' || !acceptedEncodings(ctx.get('Accept-Encoding')).includes('gzip')) return;
  ctx.body = await compressGzip(ctx.body, { level: 4 });
  ctx.set({ 'Content-Encoding': 'gzip', 'Content-Type': htmlType });
}

/** Renders a page for this request only: the values of a failed form, and every page in development. */
async function sendRendered(ctx: AppContext, { bundle, boots, page, status }: RenderedPage): Promise<void> {
  const { development } = bundle;
  const renderer = development === null ? bundle.renderer : await development.loadRenderer();
  const boot = boots.of(page, ctx.state.site.tenant);
  const { html, css } = renderDocument({ renderer, links: bundle.links(page.kind), boot });
  const tilesOrigin = getTilesOrigin(boot);
  const secure = ctx.state.client.protocol === 'https';
  ctx.status = status;
  ctx.set({ 'Content-Type': htmlType, 'Cache-Control': 'no-store' });
  ctx.set(
    'Content-Security-Policy',
    development === null ? pagePolicy({ css, secure, tilesOrigin }) : developmentPolicy(tilesOrigin),
  );
  ctx.body = development === null ? html : await development.transformHtml(ctx.path, html);
}
