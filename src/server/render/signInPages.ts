import { paths } from '#shared/pages/paths.ts';
import type { PlainScreenProps } from '#shared/pages/plainScreen.ts';
import { writeWithTimeout } from '../db/withTimeout.ts';
import type { Caller } from '../caller.ts';
import { AppError, toAppError } from '../errors.ts';
import { refuseUnconfigured } from '../features/auth/authorize.ts';
import { choosePassword } from '../features/auth/passwords.ts';
import { findLinkSubject, signInByLink } from '../features/auth/signInLinks.ts';
import { isPageOf, signPage } from '../features/mail/linkTokens.ts';
import { buildCaller } from '../http/caller.ts';
import { getOrigin } from '../http/requestHeaders.ts';
import { parseForm, readText } from '../rest/requestBody.ts';
import type { AppContext, AppMiddleware } from '../tenant/tenant.ts';
import type { Services } from '../services.ts';
import type { Bundle } from './bundle.ts';
import { expectScreenMethod, sendPlainScreen } from './plainScreen.ts';

type Props = PlainScreenProps['signIn'];

const pathPattern = /^\/sign-in\/([^/]{1,200})$/;
export const signInStatuses: Record<Props['state'], number> = {
  ask: 200,
  reset: 200,
  invitation: 200,
  changed: 200,
  unknown: 404,
  failed: 503,
  refused: 403,
  noProvider: 503,
};

/**
 * Whether another site's page sent the form: it could sign a visitor in as somebody else. The page sends no referrer,
 * so its own Origin is `null`, which says nothing; every current browser sends Sec-Fetch-Site.
 */
function isForeign(ctx: AppContext): boolean {
  const fetchSite = ctx.get('Sec-Fetch-Site');
  if (fetchSite !== '') return fetchSite !== 'same-origin' && fetchSite !== 'none';
  return getOrigin(ctx) === 'foreign' && ctx.get('Origin') !== 'null';
}

/**
 * `/sign-in/{token}` on the main site. Opening it changes nothing, since mail programs and scanners open links. Its
 * plain POST form, with the page's token, signs in and redirects to the dashboard, or sets the password behind a link
 * that resets it or invites.
 */
export function signInPages({ services, bundle }: { services: Services; bundle: Bundle }): AppMiddleware {
  const { config, health, now } = services;

  function show(ctx: AppContext, props: Props, status = signInStatuses[props.state]): Promise<void> {
    return sendPlainScreen(ctx, bundle, { name: 'signIn', props, status });
  }

  /** The form, if this page sent it. */
  async function readForm(ctx: AppContext, token: string): Promise<Record<string, string> | null> {
    if (ctx.method !== 'POST' || isForeign(ctx)) return null;
    const form = parseForm(await readText(ctx.req));
    const page = { pageToken: form['token'] ?? '', now: now() };
    return isPageOf(config.secretKeys, token, page) ? form : null;
  }

  function toDashboard(ctx: AppContext, { responseCookies }: Caller): void {
    ctx.append('Set-Cookie', responseCookies);
    ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', Location: paths.admin });
    ctx.status = 303;
    ctx.body = '';
  }

  async function answer(ctx: AppContext, token: string): Promise<void> {
    const form = await readForm(ctx, token);
    const subject = await writeWithTimeout(health, () => findLinkSubject(services, services.db, token));
    if (subject === null) return show(ctx, { state: 'unknown' });
    const { kind, row } = subject;
    const formToken = signPage(config.secretKeys, token, now());
    const caller = buildCaller(ctx, 'form');
    if (kind === 'sign-in') {
      if (form === null) return show(ctx, { state: 'ask', formToken });
      const isSignedIn = await writeWithTimeout(health, () => signInByLink(services, caller, token));
      return isSignedIn ? toDashboard(ctx, caller) : show(ctx, { state: 'unknown' });
    }
    const ask = { state: kind, formToken, email: row.email } as const;
    if (form === null) return show(ctx, { ...ask, error: null });
    try {
      const chosen = { token, password: form['password'] ?? '' };
      const done = await writeWithTimeout(health, () => choosePassword(services, caller, chosen));
      return done === 'signed-in' ? toDashboard(ctx, caller) : show(ctx, { state: done });
    } catch (error) {
      const fault = error instanceof AppError ? error.fields?.['password'] : undefined;
      if (fault === undefined) throw error;
      return show(ctx, { ...ask, error: fault }, 422);
    }
  }

  return async (ctx, next) => {
    const [, token] = pathPattern.exec(ctx.path) ?? [];
    if (token === undefined || ctx.state.site.kind !== 'main') return next();
    expectScreenMethod(ctx);
    try {
      await writeWithTimeout(health, () => refuseUnconfigured(services));
      await answer(ctx, token);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'NOT_FOUND') return next();
      if (error.code !== 'SERVICE_UNAVAILABLE') throw thrown;
      ctx.set('Retry-After', String(error.retryAfterSeconds ?? 5));
      return show(ctx, { state: 'failed' });
    }
    return undefined;
  };
}
