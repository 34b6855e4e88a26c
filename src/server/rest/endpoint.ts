import { Router, type RouterContext, type RouterMiddleware } from '@koa/router';
import { asksForAll, providerListInput } from '#shared/providers/providerList.ts';
import { eventsPath } from '#shared/admin/staff.ts';
import { withdrawPath } from '#shared/pages/paths.ts';
import { AppError, notFound, toAppError } from '../errors.ts';
import { pageHeaders, staffList } from '../features/providers/listPages.ts';
import { buildCaller, copyHeaders } from '../http/caller.ts';
import { authorize, isAllowed, refuseElsewhere, type StaffAccess } from '../features/auth/authorize.ts';
import { parseHost } from '../tenant/parseHost.ts';
import type { AppContext, AppState } from '../tenant/tenant.ts';
import type { Caller } from '../caller.ts';
import type { Policies } from '../render/csp.ts';
import type { Pages } from '../render/page.ts';
import type { Services } from '../services.ts';
import { version } from '../version.ts';
import { callProcedure } from '../procedures.ts';
import { logFailure } from '../http/errorBoundary.ts';
import { appRouter } from '../trpc/root.ts';
import { createEvents } from './events.ts';
import { createExports, exportRoutes } from './exports.ts';
import { receiveMail } from './inboundMail.ts';
import { openApiDocument } from './openapi.ts';
import { plainFormKey, plainFormRequest, type PlainForm } from './plainForms.ts';
import { sendJson, sendPrepared } from '../http/sendJson.ts';
import { prepareJson, type PreparedJson } from '../cache/preparedJson.ts';
import {
  isChecked,
  type JsonObject,
  parseForm,
  parseJson,
  parseLines,
  parseList,
  readText,
} from './requestBody.ts';
import type { RestRequest } from './requestInput.ts';
import { type RestRoute, restRoutes } from './routes.ts';

export interface RestDeps {
  services: Services;
  renderForm: Pages['renderForm'];
  renderFormFailure: Pages['renderFormFailure'];
  /** The page of the OpenAPI document, with its content security policies. */
  drawReference: (document: object) => { html: string; policies: Policies };
}

/** Public GET paths that belong to no procedure. */
export const extraPaths = [
  '/api/openapi.json',
  '/api/docs',
  '/api/unsubscribe',
  '/api/domains/verify',
] as const;
/** A public POST path that belongs to no procedure. */
export const inboundMailPath = '/api/mail/inbound';
const lineTypes = ['application/x-ndjson', 'application/jsonl'];

/** Runs a route's procedure. Its headers are on the response even when it throws. Throws AppError. */
async function call(
  ctx: AppContext,
  services: Services,
  caller: Caller,
  route: RestRoute,
  request: RestRequest,
): Promise<unknown> {
  try {
    const { procedure: path, type } = route;
    return await callProcedure(appRouter, {
      path,
      type,
      input: route.input(request),
      ctx: { services, caller },
    });
  } finally {
    copyHeaders(ctx, caller);
    if (caller.responseCookies.length > 0) ctx.append('Set-Cookie', caller.responseCookies);
  }
}

/** A route's body; an empty object if it has none. Throws UNSUPPORTED_MEDIA_TYPE and the errors of reading. */
async function readBody(ctx: AppContext, { body, bodyOptional, list }: RestRoute): Promise<JsonObject> {
  if (body === undefined) return {};
  const lines = list !== undefined && typeof ctx.is(lineTypes) === 'string';
  const isTaken = lines || ctx.is('application/json') !== false;
  // Some clients send an empty body with a length of 0 and no type.
  if (!isTaken && !(bodyOptional && ctx.request.length === 0))
    throw new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      `Send application/json${list === undefined ? '' : ` or ${lineTypes[0]}`}.`,
    );
  const text = await readText(ctx.req, list?.bytesMax);
  if (bodyOptional && text.trim() === '') return {};
  if (list === undefined) return parseJson(text);
  return lines ? parseLines(text, list) : parseList(text, list.name);
}

/**
 * The public list of active providers is kept in memory. `all` is the same list, except for staff. Null for any other
 * request. Throws UNAUTHORIZED for an unknown or revoked token.
 */
async function preparedAnswer(
  ctx: AppContext,
  { services, caller }: { services: Services; caller: Caller },
  route: RestRoute,
  request: RestRequest,
): Promise<PreparedJson | null> {
  if (route.procedure !== 'providers.list') return null;
  const input = providerListInput.safeParse(route.input(request)).data;
  if (input === undefined || input.status === 'inactive' || !asksForAll(input)) return null;
  if (input.status === 'all' && (await isAllowed({ services, caller }, staffList))) return null;
  const { json, next } = await services.providers.activeList.get();
  // A whole list needs no headers.
  if (next !== null) ctx.set(pageHeaders(input, { total: services.tenants.stats().providers, next }));
  return json;
}

async function answerJson(
  ctx: RouterContext<AppState>,
  { services, caller }: { services: Services; caller: Caller },
  route: RestRoute,
): Promise<void> {
  const body = await readBody(ctx, route);
  const request = { params: ctx.params, query: new URLSearchParams(ctx.querystring), body };
  const prepared = await preparedAnswer(ctx, { services, caller }, route, request);
  if (prepared !== null) {
    await sendPrepared(ctx, prepared);
    return;
  }
  const output = await call(ctx, services, caller, route, request);
  // The same path may return more to staff than to others.
  const { bearer, session } = caller.credentials;
  const caching = bearer === null && session === null ? route.caching : 'no-store';
  await sendJson(ctx, { status: route.status, output, caching });
}

/**
 * A browser without scripts gets a 303 to the confirmation page, or the form's page again: with the answer, or after a
 * failure without token and honeypot.
 */
async function answerForm(
  ctx: AppContext,
  { services, renderForm, renderFormFailure }: RestDeps,
  route: RestRoute,
  plainForm: PlainForm,
): Promise<void> {
  let fields: Record<string, string> = {};
  try {
    fields = parseForm(await readText(ctx.req));
    const request = plainFormRequest(ctx, fields);
    const caller = buildCaller(ctx, 'form');
    const idempotencyKey = caller.idempotencyKey ?? plainFormKey(fields);
    const output = await call(ctx, services, { ...caller, idempotencyKey }, route, request);
    const next = plainForm.next(output);
    if (typeof next !== 'string') {
      await renderForm(ctx, plainForm.formOf(fields, ctx.state.site), next);
      return;
    }
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 303;
    ctx.set('Location', next);
    ctx.body = '';
    ctx.remove('Content-Type');
  } catch (thrown) {
    const error = toAppError(thrown);
    logFailure(services.log, error, { requestId: ctx.state.requestId, procedure: route.procedure });
    const consent = fields['acceptance_consent'];
    // Only a box that the person ticked is ticked again.
    const repeated = [...plainForm.fields, ...(isChecked(consent) ? ['acceptance_consent'] : [])].filter(
      (name) => name in fields,
    );
    const values = Object.fromEntries(repeated.map((name) => [name, fields[name] ?? '']));
    await renderFormFailure(ctx, plainForm.formOf(fields, ctx.state.site), values, error);
  }
}

/** For Caddy's on-demand TLS. Answered from memory, so that a stranger's handshake costs no query. */
function answerDomain(ctx: AppContext, { tenants, config }: Services): Promise<void> {
  const domain = new URLSearchParams(ctx.querystring).get('domain') ?? '';
  const match = parseHost(domain, config);
  if (match.kind !== 'other' || !tenants.hasHost(match.host)) throw notFound('Domain');
  return sendJson(ctx, { status: 200, output: { domain: match.host }, caching: 'no-store' });
}

/**
 * A mail program without an unsubscribe button opens the link: a page asks for confirmation, and nothing changes yet.
 */
function showWithdrawal(ctx: AppContext): void {
  const query = new URLSearchParams(ctx.querystring);
  const hash = query.get('hash');
  ctx.set('Cache-Control', 'no-store');
  ctx.redirect(
    withdrawPath(
      encodeURIComponent(query.get('token') ?? ''),
      hash === null ? null : encodeURIComponent(hash),
    ),
  );
}

/** Adds the challenge that a 401 needs (RFC 9110 section 11.6.1). */
function refused(ctx: AppContext, error: unknown): unknown {
  if (toAppError(error).code === 'UNAUTHORIZED') ctx.set('WWW-Authenticate', 'Bearer');
  return error;
}

type Handler = (ctx: RouterContext<AppState>) => Promise<void>;

/**
 * A route for staff and scripts. Checks access before reading the body, so that its errors tell a stranger nothing. The
 * procedure checks again, without another query.
 */
function staffHandler({ services }: RestDeps, route: RestRoute, access: StaffAccess): Handler {
  return async (ctx) => {
    const caller = buildCaller(ctx, 'rest');
    try {
      await authorize({ services, caller }, { ...access, operation: route.operation }, route.type);
      await answerJson(ctx, { services, caller }, route);
    } catch (error) {
      copyHeaders(ctx, caller);
      throw refused(ctx, error);
    }
  };
}

function publicHandler(deps: RestDeps, route: RestRoute): Handler {
  const { plainForm } = route;
  const { services } = deps;
  return (ctx) =>
    plainForm !== undefined && typeof ctx.is('urlencoded') === 'string'
      ? answerForm(ctx, deps, route, plainForm)
      : answerJson(ctx, { services, caller: buildCaller(ctx, 'rest') }, route);
}

function getHandler(deps: RestDeps, route: RestRoute): Handler {
  return route.access === 'public' ? publicHandler(deps, route) : staffHandler(deps, route, route.access);
}

/** `/api/leads/{id}` as the router writes it. */
function pattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/** The API's document and its page. They are made at the first request, as most processes are never asked for them. */
function createDocuments({ drawReference }: RestDeps) {
  const make = () => {
    const described = openApiDocument(version);
    const { html, policies } = drawReference(described);
    return { document: prepareJson(JSON.stringify(described)), policies, page: prepareJson(html) };
  };
  let made: ReturnType<typeof make> | null = null;
  return () => (made ??= make());
}

/** HEAD runs the same code as GET. */
function getRouter(deps: RestDeps): { router: Router<AppState>; staffHandlers: ReadonlySet<unknown> } {
  const router = new Router<AppState>({ strict: true });
  const documents = createDocuments(deps);
  const extra: Record<(typeof extraPaths)[number], (ctx: AppContext) => void | Promise<void>> = {
    // Both list the operations of staff, which other hosts don't have.
    '/api/openapi.json': async (ctx) => {
      refuseElsewhere(ctx.state);
      await sendPrepared(ctx, await documents().document);
    },
    '/api/docs': async (ctx) => {
      refuseElsewhere(ctx.state);
      const { policies, page } = documents();
      ctx.set('Content-Security-Policy', policies[ctx.state.client.protocol]);
      await sendPrepared(ctx, await page, 'text/html; charset=utf-8');
    },
    '/api/unsubscribe': showWithdrawal,
    '/api/domains/verify': (ctx) => answerDomain(ctx, deps.services),
  };
  for (const path of extraPaths) router.get(path, extra[path]);
  router.post(inboundMailPath, (ctx) => receiveMail(ctx, deps.services));
  const staffHandlers = new Set<unknown>();
  for (const route of restRoutes) {
    const handler = getHandler(deps, route);
    router.register(pattern(route.path), [route.method], handler);
    if (route.access !== 'public') staffHandlers.add(handler);
  }
  const events = createEvents(deps.services);
  router.get(eventsPath, events);
  staffHandlers.add(events);
  const exportHandler = createExports(deps.services);
  for (const route of exportRoutes) {
    const handler = exportHandler(route);
    router.get(pattern(route.path), handler);
    staffHandlers.add(handler);
  }
  return { router, staffHandlers };
}

/** The REST facade at /api: a route for each procedure with REST metadata. Throws errors to the error boundary. */
export function createRest(deps: RestDeps): RouterMiddleware<AppState> {
  const { router, staffHandlers } = getRouter(deps);
  const dispatch = router.routes();
  return (ctx, next) => {
    if (ctx.path !== '/api' && !ctx.path.startsWith('/api/')) return next();
    const matched = router.match(ctx.path, ctx.method);
    if (!matched.route) {
      // Staff routes exist on the main site only; other hosts do not reveal them.
      const isMain = ctx.state.site.kind === 'main';
      const visible = matched.path.filter(
        ({ stack }) => isMain || !stack.some((handler) => staffHandlers.has(handler)),
      );
      const allow = [...new Set(visible.flatMap(({ methods }) => methods))].toSorted();
      if (allow.length === 0) throw new AppError('NOT_FOUND', 'Not found.');
      ctx.set('Allow', allow.join(', '));
      throw new AppError('METHOD_NOT_SUPPORTED', `Use ${allow.join(' or ')}.`);
    }
    return dispatch(ctx, next);
  };
}
