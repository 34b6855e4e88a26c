import type { WithdrawalLink } from '#shared/leads/suppression.ts';
import type { PlainScreenProps } from '#shared/pages/plainScreen.ts';
import { readAllWithTimeout, writeWithTimeout } from '../db/withTimeout.ts';
import { toAppError } from '../errors.ts';
import {
  withdrawalState,
  withdrawByLink,
  type WithdrawServices,
} from '../features/withdrawals/withdrawByLink.ts';
import { isPageOf, signPage } from '../features/mail/linkTokens.ts';
import { parseForm, readText } from '../rest/requestBody.ts';
import type { AppContext, AppMiddleware } from '../tenant/tenant.ts';
import type { Services } from '../services.ts';
import type { Bundle } from './bundle.ts';
import { backToScreen, expectScreenMethod, sendPlainScreen } from './plainScreen.ts';

type Props = PlainScreenProps['withdraw'];

const pathPattern = /^\/withdraw\/([^/]{1,200})$/;

/**
 * `/withdraw/{token}`, the page of a message's link. Opening it asks and changes nothing, since mail programs and
 * scanners open links. Its form, a plain POST, withdraws and redirects to the page, which confirms it. The form's token
 * must be the page's, or the body that of RFC 8058; otherwise the page is shown again. The tokens are the only proof, so
 * no cookie, Origin or script is required.
 */
export function withdrawPages({
  services,
  bundle,
}: {
  services: WithdrawServices & Pick<Services, 'health' | 'publicReads'>;
  bundle: Bundle;
}): AppMiddleware {
  const { config, health, now, publicReads } = services;
  const contactEmail = config.contacts.email;

  function show(ctx: AppContext, props: Props, status: number): Promise<void> {
    return sendPlainScreen(ctx, bundle, { name: 'withdraw', props, status });
  }

  function showState(ctx: AppContext, { token }: WithdrawalLink, state: 'ask' | 'done'): Promise<void> {
    const props: Props =
      state === 'ask'
        ? { state, formToken: signPage(config.secretKeys, token, now()) }
        : { state, contactEmail };
    return show(ctx, props, 200);
  }

  async function isConfirmed(ctx: AppContext, { token }: WithdrawalLink): Promise<boolean> {
    const form = parseForm(await readText(ctx.req));
    if (form['List-Unsubscribe'] === 'One-Click') return true;
    return isPageOf(config.secretKeys, token, { pageToken: form['token'] ?? '', now: now() });
  }

  async function answer(ctx: AppContext, link: WithdrawalLink): Promise<void> {
    if (ctx.method === 'POST' && (await isConfirmed(ctx, link))) {
      const { ip } = ctx.state.client;
      const responseHeaders = new Map<string, string>();
      const result = await writeWithTimeout(health, () =>
        withdrawByLink(services, { link, how: 'page', ip, responseHeaders }),
      ).finally(() => ctx.set(Object.fromEntries(responseHeaders)));
      if (result === 'reported') return show(ctx, { state: result, contactEmail }, 202);
      backToScreen(ctx);
      return undefined;
    }
    const state = await readAllWithTimeout(
      () => publicReads.ask(() => withdrawalState(services, link)),
      ctx.state.waitedMs,
    );
    return showState(ctx, link, state);
  }

  return async (ctx, next) => {
    const [, token] = pathPattern.exec(ctx.path) ?? [];
    if (token === undefined) return next();
    expectScreenMethod(ctx);
    try {
      await answer(ctx, { token, hash: new URLSearchParams(ctx.querystring).get('hash') ?? undefined });
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'NOT_FOUND') return show(ctx, { state: 'unknown', contactEmail }, 404);
      if (error.code !== 'SERVICE_UNAVAILABLE' && error.code !== 'TOO_MANY_REQUESTS') throw thrown;
      ctx.set('Retry-After', String(error.retryAfterSeconds ?? 5));
      return show(ctx, { state: 'failed', contactEmail }, error.status);
    }
    return undefined;
  };
}
