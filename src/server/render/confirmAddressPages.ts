import type { PlainScreenProps } from '#shared/pages/plainScreen.ts';
import { readAllWithTimeout, writeWithTimeout } from '../db/withTimeout.ts';
import { toAppError } from '../errors.ts';
import { isPageOf, signPage } from '../features/mail/linkTokens.ts';
import { confirmAddress, findAddressee } from '../features/providers/confirmAddress.ts';
import { parseForm, readText } from '../rest/requestBody.ts';
import type { AppContext, AppMiddleware } from '../tenant/tenant.ts';
import type { Services } from '../services.ts';
import type { Bundle } from './bundle.ts';
import { backToScreen, expectScreenMethod, sendPlainScreen } from './plainScreen.ts';

type Props = PlainScreenProps['confirmAddress'];

const pathPattern = /^\/confirm-address\/([^/]{1,200})$/;

interface ConfirmAddressPagesDeps {
  services: Pick<Services, 'config' | 'db' | 'health' | 'now' | 'publicReads'> & {
    limits: Pick<Services['limits'], 'leads'>;
  };
  bundle: Bundle;
}

/**
 * `/confirm-address/{token}` on the main site: a new provider confirms that it reads its address. Opening it changes
 * nothing, since mail programs and scanners open links. Its form, a plain POST with the page's token, confirms and
 * redirects to the page, which says so.
 */
export function confirmAddressPages({ services, bundle }: ConfirmAddressPagesDeps): AppMiddleware {
  const { config, health, limits, now, publicReads } = services;
  const contactEmail = config.contacts.email;

  function show(ctx: AppContext, props: Props, status: number): Promise<void> {
    return sendPlainScreen(ctx, bundle, { name: 'confirmAddress', props, status });
  }

  async function open(ctx: AppContext, token: string): Promise<void> {
    const found = await readAllWithTimeout(
      () => publicReads.ask(() => findAddressee(services, token)),
      ctx.state.waitedMs,
    );
    if (found === null) return show(ctx, { state: 'unknown', contactEmail }, 404);
    if (found.isConfirmed) return show(ctx, { state: 'done', contactEmail }, 200);
    return show(ctx, { state: 'ask', formToken: signPage(config.secretKeys, token, now()) }, 200);
  }

  async function answer(ctx: AppContext, token: string): Promise<void> {
    if (ctx.method !== 'POST') return open(ctx, token);
    const form = parseForm(await readText(ctx.req));
    const page = { pageToken: form['token'] ?? '', now: now() };
    if (!isPageOf(config.secretKeys, token, page)) return open(ctx, token);
    const { ip } = ctx.state.client;
    const headers = new Map<string, string>();
    await writeWithTimeout(health, async () => {
      await limits.leads.take(ip, 'outcome', headers);
      await confirmAddress(services, { token, ip });
    }).finally(() => ctx.set(Object.fromEntries(headers)));
    backToScreen(ctx);
    return undefined;
  }

  return async (ctx, next) => {
    const [, token] = pathPattern.exec(ctx.path) ?? [];
    if (token === undefined || ctx.state.site.kind !== 'main') return next();
    expectScreenMethod(ctx);
    try {
      await answer(ctx, token);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code !== 'SERVICE_UNAVAILABLE' && error.code !== 'TOO_MANY_REQUESTS') throw thrown;
      ctx.set('Retry-After', String(error.retryAfterSeconds ?? 5));
      return show(ctx, { state: 'failed', contactEmail }, error.status);
    }
    return undefined;
  };
}
