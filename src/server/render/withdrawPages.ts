import type Koa from 'koa';
import type { PlainScreenProps } from '#shared/pages/plainScreen.ts';
import { readAllWithTimeout, writeWithTimeout } from '../db/withTimeout.ts';
import { AppError, toAppError } from '../errors.ts';
import {
  withdrawalState,
  withdrawByLink,
  type WithdrawServices,
} from '../features/withdrawals/withdrawByLink.ts';
import type { AppState } from '../tenant/tenant.ts';
import type { Services } from '../services.ts';
import type { Bundle } from './bundle.ts';
import { backToScreen, sendPlainScreen } from './plainScreen.ts';

type Context = Koa.ParameterizedContext<AppState>;
type State = PlainScreenProps['withdraw']['state'];

const pathPattern = /^\/withdraw\/([^/]{1,200})$/;

/**
 * `/withdraw/{token}`, the page behind a message's link: opening it asks and changes nothing, since mail programs and scanners open links by
 * themselves; its form, a plain POST, withdraws and leads back to the page, which then says so. The token is all the proof there is, so no
 * cookie, Origin or script is asked for.
 */
export function withdrawPages({
  services,
  bundle,
}: {
  services: WithdrawServices & Pick<Services, 'health' | 'reads'>;
  bundle: Bundle;
}): Koa.Middleware<AppState> {
  const contactEmail = services.config.contacts.email;

  function show(ctx: Context, state: State, status: number): Promise<void> {
    return sendPlainScreen(ctx, bundle, { name: 'withdraw', props: { state, contactEmail }, status });
  }

  async function answer(ctx: Context, token: string): Promise<void> {
    if (ctx.method === 'POST') {
      const { ip } = ctx.state.client;
      const responseHeaders = new Map<string, string>();
      await writeWithTimeout(services.health, () =>
        withdrawByLink(services, { token, how: 'page', ip, responseHeaders }),
      ).finally(() => ctx.set(Object.fromEntries(responseHeaders)));
      backToScreen(ctx);
      return;
    }
    const state = await readAllWithTimeout(
      () => services.reads.ask(() => withdrawalState(services, token)),
      ctx.state.waitedMs,
    );
    await show(ctx, state, 200);
  }

  return async (ctx, next) => {
    const [, token] = pathPattern.exec(ctx.path) ?? [];
    if (token === undefined) return next();
    if (!['GET', 'HEAD', 'POST'].includes(ctx.method)) {
      ctx.set('Allow', 'GET, HEAD, POST');
      throw new AppError('METHOD_NOT_SUPPORTED', 'Use GET or POST.');
    }
    try {
      await answer(ctx, token);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'NOT_FOUND') return show(ctx, 'unknown', 404);
      if (error.code !== 'SERVICE_UNAVAILABLE' && error.code !== 'TOO_MANY_REQUESTS') throw thrown;
      ctx.set('Retry-After', String(error.retryAfterSeconds ?? 5));
      return show(ctx, 'failed', error.status);
    }
    return undefined;
  };
}
