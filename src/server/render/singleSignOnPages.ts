import { paths, singleSignOnPath } from '#shared/pages/paths.ts';
import { writeWithTimeout } from '../db/withTimeout.ts';
import { finishSingleSignOn, startSingleSignOn } from '../features/auth/oidcSignIn.ts';
import { buildCaller } from '../http/caller.ts';
import type { Services } from '../services.ts';
import type { AppContext, AppMiddleware } from '../tenant/tenant.ts';
import type { Bundle } from './bundle.ts';
import { signInStatuses } from './signInPages.ts';
import { expectScreenMethod, sendPlainScreen } from './plainScreen.ts';

const callbackPath = `${singleSignOnPath}/callback`;

/**
 * Single sign-on on the main site, where an identity provider is configured: the first page sends the browser to the
 * provider, which sends it back to the second. The answer counts only in the browser that was sent, and once.
 */
export function singleSignOnPages({
  services,
  bundle,
}: {
  services: Services;
  bundle: Bundle;
}): AppMiddleware {
  const { config, health } = services;

  function show(ctx: AppContext, state: 'refused' | 'noProvider'): Promise<void> {
    return sendPlainScreen(ctx, bundle, { name: 'signIn', props: { state }, status: signInStatuses[state] });
  }

  function redirect(ctx: AppContext, href: string): void {
    ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', Location: href });
    ctx.status = 303;
    ctx.body = '';
  }

  return async (ctx, next) => {
    const isCallback = ctx.path === callbackPath;
    if (config.oidc === null || ctx.state.site.kind !== 'main') return next();
    if (!isCallback && ctx.path !== singleSignOnPath) return next();
    expectScreenMethod(ctx);
    const caller = buildCaller(ctx, 'form');
    const { protocol, host } = ctx.state.client;
    const origin = `${protocol}://${host}`;
    if (!isCallback) {
      const href = await startSingleSignOn(services, caller, `${origin}${callbackPath}`);
      if (href === null) return show(ctx, 'noProvider');
      ctx.append('Set-Cookie', caller.responseCookies);
      return redirect(ctx, href);
    }
    const answer = new URL(`${origin}${ctx.path}${ctx.search}`);
    const result = await writeWithTimeout(health, () => finishSingleSignOn(services, caller, answer));
    if (result === 'signed-in') {
      ctx.append('Set-Cookie', caller.responseCookies);
      return redirect(ctx, paths.admin);
    }
    return show(ctx, result === 'refused' ? 'refused' : 'noProvider');
  };
}
