import { createHash } from 'node:crypto';
import { Router, type RouterContext, type RouterMiddleware } from '@koa/router';
import { callTRPCProcedure, TRPCError } from '@trpc/server';
import type Koa from 'koa';
import { parseUrl } from '#shared/parseUrl.ts';
import { AppError, notFound, toAppError } from '../errors.ts';
import type { TokenForm } from '../features/leads/renderToken.ts';
import { callerOf } from '../http/caller.ts';
import { acceptedEncodings } from '../http/acceptEncoding.ts';
import { matchesEtag } from '../http/etag.ts';
import type { PreparedJson } from '../features/providers/activeList.ts';
import { parseHost } from '../tenant/parseHost.ts';
import type { AppState } from '../tenant/tenant.ts';
import type { Caller, Services } from '../trpc/context.ts';
import { fromTrpcError } from '../trpc/init.ts';
import { logFailure } from '../trpc/logFailure.ts';
import { appRouter } from '../trpc/root.ts';
import { openApiDocument } from './openapi.ts';
import type { PlainForm } from './plainForms.ts';
import { isTicked, type JsonObject, parseForm, parseJson, readText } from './requestBody.ts';
import { type ProcedureRoute, type RestRequest, type RestRoute, restRoutes } from './routes.ts';

type Context = Koa.ParameterizedContext<AppState>;

export interface RestDeps {
  services: Services;
  /** Answers a plain form that failed: its page again, with what was typed and what is wrong, under the error's status. */
  renderFormFailure: (
    ctx: Context,
    form: TokenForm,
    values: Record<string, string>,
    error: AppError,
  ) => Promise<void>;
}

const apiVersion = '1.0.0';

/** Runs a route's procedure, whatever the transport; its headers are on the answer even when it throws. Throws AppError. */
async function call(
  ctx: Context,
  services: Services,
  caller: Caller,
  route: ProcedureRoute,
  request: RestRequest,
): Promise<unknown> {
  try {
    const input = route.input(request);
    const output: unknown = await callTRPCProcedure({
      router: appRouter,
      path: route.procedure,
      type: route.type,
      getRawInput: () => Promise.resolve(input),
      ctx: { services, caller },
      signal: undefined,
      batchIndex: 0,
    });
    return output;
  } catch (error) {
    throw error instanceof TRPCError ? fromTrpcError(error) : error;
  } finally {
    for (const [name, value] of caller.responseHeaders) ctx.set(name, value);
  }
}

function sendJson(ctx: Context, status: number, output: unknown, caching: ProcedureRoute['caching']): void {
  const body = JSON.stringify(output);
  ctx.set('Cache-Control', caching === 'no-store' ? 'no-store' : 'no-cache');
  if (caching === 'revalidate') {
    const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    ctx.set('ETag', etag);
    if (matchesEtag(ctx.get('If-None-Match') || undefined, etag)) {
      ctx.status = 304;
      return;
    }
  }
  ctx.status = status;
  ctx.type = 'application/json';
  ctx.body = body;
}

/** Sends the bytes as they lie in memory, in an encoding the client takes. */
async function sendPrepared(ctx: Context, { etag, body }: PreparedJson): Promise<void> {
  ctx.set({ 'Cache-Control': 'no-cache', ETag: etag, Vary: 'Accept-Encoding' });
  if (matchesEtag(ctx.get('If-None-Match') || undefined, etag)) {
    ctx.status = 304;
    return;
  }
  const [encoding = 'identity'] = acceptedEncodings(ctx.get('Accept-Encoding'));
  const bytes = await body(encoding);
  ctx.status = 200;
  ctx.type = 'application/json';
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.body = bytes;
}

async function answerJson(
  ctx: Context,
  services: Services,
  route: ProcedureRoute,
  params: RestRequest['params'],
): Promise<void> {
  let body: JsonObject = {};
  if (route.body !== undefined) {
    if (ctx.is('application/json') === false)
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send application/json.');
    body = parseJson(await readText(ctx.req));
  }
  const request = { params, query: new URLSearchParams(ctx.querystring), body };
  const prepared = route.prepared?.(request, services) ?? null;
  if (prepared !== null) {
    await sendPrepared(ctx, await prepared);
    return;
  }
  const output = await call(ctx, services, callerOf(ctx, 'rest'), route, request);
  sendJson(ctx, route.status, output, route.caching);
}

/** The clinic a page's address asks for: a form without scripts can't add it to its own, but the browser names the page it was on. */
function withPageClinic(ctx: Context): URLSearchParams {
  const query = new URLSearchParams(ctx.querystring);
  const asked = parseUrl(ctx.get('Referer'))?.searchParams.get('providerId') ?? null;
  if (asked !== null && !query.has('providerId')) query.set('providerId', asked);
  return query;
}

/** A browser without scripts: 303 to the confirmation page, or the form's page again. The token and the honeypot aren't drawn back. */
async function answerForm(
  ctx: Context,
  { services, renderFormFailure }: RestDeps,
  route: ProcedureRoute,
  plainForm: PlainForm,
): Promise<void> {
  let fields: Record<string, string> = {};
  try {
    fields = parseForm(await readText(ctx.req));
    const body = { ...fields, acceptance_consent: isTicked(fields['acceptance_consent']) };
    const output = await call(ctx, services, callerOf(ctx, 'form'), route, {
      params: {},
      query: withPageClinic(ctx),
      body,
    });
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 303;
    ctx.set('Location', plainForm.nextPath(output));
    ctx.body = '';
    ctx.remove('Content-Type');
  } catch (thrown) {
    const error = toAppError(thrown);
    logFailure(services.log, error, { requestId: ctx.state.requestId, procedure: route.procedure });
    const consent = fields['acceptance_consent'];
    // Drawn back only as a box that was really ticked: a form never ticks it for anyone.
    const drawnBack = [...plainForm.fields, ...(isTicked(consent) ? ['acceptance_consent'] : [])].filter(
      (name) => name in fields,
    );
    const values = Object.fromEntries(drawnBack.map((name) => [name, fields[name] ?? '']));
    await renderFormFailure(ctx, plainForm.formOf(fields, ctx.state.site), values, error);
  }
}

/** For Caddy's on-demand TLS: from memory alone, so that a stranger's handshake costs no query. */
function answerDomain(ctx: Context, { tenants, config }: Services): void {
  const domain = new URLSearchParams(ctx.querystring).get('domain') ?? '';
  const match = parseHost(domain, config.mainDomains);
  if (match.kind !== 'custom' || !tenants.hasHost(match.host)) throw notFound('Domain');
  sendJson(ctx, 200, { domain: match.host }, 'no-store');
}

/** Staff answers exist on the main site only; elsewhere nothing tells that they do. */
function refuseStaff(ctx: Context): never {
  if (ctx.state.site.kind !== 'main') throw new AppError('NOT_FOUND', 'Not found.');
  ctx.set('WWW-Authenticate', 'Bearer');
  throw new AppError('UNAUTHORIZED', 'Sign in first.');
}

function handlerOf(deps: RestDeps, route: RestRoute): (ctx: RouterContext<AppState>) => Promise<void> | void {
  if (route.access === 'staff') return refuseStaff;
  const { plainForm } = route;
  return (ctx) =>
    plainForm !== undefined && typeof ctx.is('urlencoded') === 'string'
      ? answerForm(ctx, deps, route, plainForm)
      : answerJson(ctx, deps.services, route, ctx.params);
}

/** HEAD is answered like GET, and of two rows that fit a path the first wins: literal paths stand above placeholders. */
function routerOf(deps: RestDeps): Router<AppState> {
  const router = new Router<AppState>({ strict: true });
  const document = openApiDocument(apiVersion);
  router.get('/api/openapi.json', (ctx) => sendJson(ctx, 200, document, 'revalidate'));
  router.get('/api/domains/verify', (ctx) => answerDomain(ctx, deps.services));
  for (const route of restRoutes) {
    router.register(route.path.replace(/\{(\w+)\}/g, ':$1'), [route.method], handlerOf(deps, route));
  }
  return router;
}

/** The REST facade at /api: a table of rows (routes.ts), each a procedure. Errors are thrown to the error boundary. */
export function createRest(deps: RestDeps): RouterMiddleware<AppState> {
  const router = routerOf(deps);
  const dispatch = router.routes();
  return (ctx, next) => {
    if (ctx.path !== '/api' && !ctx.path.startsWith('/api/')) return next();
    const matched = router.match(ctx.path, ctx.method);
    if (!matched.route) {
      const isMain = ctx.state.site.kind === 'main';
      const told = matched.path.filter(({ stack }) => isMain || !stack.includes(refuseStaff));
      const allow = [...new Set(told.flatMap(({ methods }) => methods))].toSorted();
      if (allow.length === 0) throw new AppError('NOT_FOUND', 'Not found.');
      ctx.set('Allow', allow.join(', '));
      throw new AppError('METHOD_NOT_SUPPORTED', `Use ${allow.join(' or ')}.`);
    }
    return dispatch(ctx, next);
  };
}
