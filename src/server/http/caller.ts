import { accountHeader, backgroundHeader } from '#shared/admin/staff.ts';
import { AppError } from '../errors.ts';
import type { AppContext } from '../tenant/tenant.ts';
import type { Caller, Credentials } from '../caller.ts';
import { deviceCookieName, sessionCookieName, stepCookieName } from '../security/cookies.ts';
import { isOptedOut, getOrigin } from './requestHeaders.ts';

const userAgentLengthMax = 500;
const pageUrlLengthMax = 2000;
const idempotencyKeyLengthMax = 255;
const originLengthMax = 500;
const fetchSiteLengthMax = 40;

/** The page that sent the request, without query and fragment, which may contain typed text or keys from messages. */
function refererPage(referer: string): { pageUrl: string; referrerHost: string } | null {
  const url = referer === '' ? null : URL.parse(referer);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return { pageUrl: `${url.origin}${url.pathname}`.slice(0, pageUrlLengthMax), referrerHost: url.hostname };
}

/** Header values arrive as Latin-1. Control characters would break Postgres or a log. */
function plainText(value: string): string {
  return value.replace(/\p{Cc}+/gu, ' ').trim();
}

/**
 * The caller of a request. Runs after tenantMiddleware. Throws BAD_REQUEST for an Idempotency-Key above 255 characters.
 */
export function buildCaller(ctx: AppContext, transport: Caller['transport']): Caller {
  const idempotencyKey = plainText(ctx.get('Idempotency-Key'));
  if (idempotencyKey.length > idempotencyKeyLengthMax) {
    throw new AppError(
      'BAD_REQUEST',
      `Idempotency-Key must be at most ${idempotencyKeyLengthMax} characters.`,
    );
  }
  const page = refererPage(ctx.get('Referer'));
  return {
    site: ctx.state.site,
    credentials: readCredentials(ctx),
    ip: ctx.state.client.ip,
    userAgent: plainText(ctx.get('User-Agent')).slice(0, userAgentLengthMax) || null,
    pageUrl: page?.pageUrl ?? null,
    referrerHost: page?.referrerHost ?? null,
    origin: plainText(ctx.get('Origin')).slice(0, originLengthMax) || null,
    fetchSite: plainText(ctx.get('Sec-Fetch-Site')).slice(0, fetchSiteLengthMax) || null,
    globalPrivacyControl: isOptedOut(ctx.req),
    idempotencyKey: idempotencyKey || null,
    transport,
    requestId: ctx.state.requestId,
    waitedMs: ctx.state.waitedMs,
    responseHeaders: new Map(),
    responseCookies: [],
  };
}

/** Adds the headers of a procedure to the response, also to that of an error. */
export function copyHeaders(ctx: AppContext, { responseHeaders }: Pick<Caller, 'responseHeaders'>): void {
  for (const [name, value] of responseHeaders) ctx.set(name, value);
}

/** Reads the credentials that a request carries. Schemes other than Bearer belong to a proxy. */
function readCredentials(ctx: AppContext): Credentials {
  const isSecure = ctx.state.client.protocol === 'https';
  return {
    session: ctx.cookies.get(sessionCookieName(isSecure)) || null,
    device: ctx.cookies.get(deviceCookieName(isSecure)) || null,
    step: ctx.cookies.get(stepCookieName(isSecure)) || null,
    bearer: /^Bearer +(\S+) *$/i.exec(ctx.get('Authorization'))?.[1] ?? null,
    // Also without a body: no form can send this type.
    isOwnPage: getOrigin(ctx) === 'own' && ctx.request.type === 'application/json',
    isSecure,
    isBackground: ctx.get(backgroundHeader) === '1',
    account: ctx.get(accountHeader) || null,
  };
}
