import type { PlainScreenProps } from '#shared/pages/plainScreen.ts';
import { readAllWithTimeout, writeWithTimeout } from '../db/withTimeout.ts';
import { toAppError } from '../errors.ts';
import { isPageOf, signPage } from '../features/mail/linkTokens.ts';
import { parseForm, readText } from '../rest/requestBody.ts';
import type { AppContext, AppMiddleware } from '../tenant/tenant.ts';
import type { Services } from '../services.ts';
import type { Bundle } from './bundle.ts';
import { backToScreen, expectScreenMethod, sendPlainScreen } from './plainScreen.ts';

type AskScreenName = 'confirmAddress' | 'weeklyEmail';
type Props = PlainScreenProps[AskScreenName];

interface AskPagesDeps {
  services: Pick<Services, 'config' | 'health' | 'now' | 'publicReads'> & {
    limits: Pick<Services['limits'], 'leads'>;
  };
  bundle: Bundle;
  name: AskScreenName;
  /** The first segment of the path; the second is the token. */
  segment: string;
  /** Null: the link isn't ours or has ended. */
  find: (token: string) => Promise<{ isDone: boolean } | null>;
  act: (given: { token: string; ip: string }) => Promise<unknown>;
  /** Whether a mail program may post without the page (RFC 8058). */
  takesOneClick?: boolean;
}

/**
 * `/{segment}/{token}` on the main site: a page behind a message's link that asks one thing. Opening it changes nothing,
 * since mail programs and scanners open links. Its form, a plain POST with the page's token, acts and redirects to the
 * page, which says so.
 */
export function askPages(deps: AskPagesDeps): AppMiddleware {
  const { services, bundle, name, segment, find, act, takesOneClick = false } = deps;
  const { config, health, limits, now, publicReads } = services;
  const contactEmail = config.contacts.email;
  const pathPattern = new RegExp(`^/${segment}/([^/]{1,200})$`);

  function show(ctx: AppContext, props: Props, status: number): Promise<void> {
    return sendPlainScreen(ctx, bundle, { name, props, status });
  }

  async function open(ctx: AppContext, token: string): Promise<void> {
    const found = await readAllWithTimeout(() => publicReads.ask(() => find(token)), ctx.state.waitedMs);
    if (found === null) return show(ctx, { state: 'unknown', contactEmail }, 404);
    if (found.isDone) return show(ctx, { state: 'done', contactEmail }, 200);
    return show(ctx, { state: 'ask', formToken: signPage(config.secretKeys, token, now()) }, 200);
  }

  async function answer(ctx: AppContext, token: string): Promise<void> {
    if (ctx.method !== 'POST') return open(ctx, token);
    const form = parseForm(await readText(ctx.req));
    const page = { pageToken: form['token'] ?? '', now: now() };
    const isOneClick = takesOneClick && form['List-Unsubscribe'] === 'One-Click';
    if (!isOneClick && !isPageOf(config.secretKeys, token, page)) return open(ctx, token);
    const { ip } = ctx.state.client;
    const headers = new Map<string, string>();
    await writeWithTimeout(health, async () => {
      await limits.leads.take(ip, 'outcome', headers);
      await act({ token, ip });
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
