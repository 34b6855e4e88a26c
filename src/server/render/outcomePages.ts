import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import type { PlainScreenProps } from '#shared/pages/plainScreen.ts';
import { readAllWithTimeout, writeWithTimeout } from '../db/withTimeout.ts';
import { AppError, toAppError } from '../errors.ts';
import { findLinkedLead } from '../features/leads/detail/linkedLead.ts';
import { recordByProvider, getOutcomePageState } from '../features/outcomes/recordOutcome.ts';
import { readOutcome, type SignedOutcome, isPageOf, signPage } from '../features/mail/linkTokens.ts';
import { isLostLeadEnded, reportLostLead } from '../features/withdrawals/lostLeads.ts';
import type { RematchServices } from '../features/leads/changes/rematch.ts';
import { parseForm, readText } from '../rest/requestBody.ts';
import type { Site } from '../tenant/site.ts';
import type { AppContext, AppMiddleware } from '../tenant/tenant.ts';
import type { Services } from '../services.ts';
import type { Bundle } from './bundle.ts';
import { backToScreen, expectScreenMethod, sendPlainScreen } from './plainScreen.ts';

type Props = PlainScreenProps['outcome'];

const pathPattern = /^\/outcome\/([^/]{1,200})$/;
const statuses: Partial<Record<Props['state'], number>> = { unknown: 404, gone: 410, expired: 410 };

/** The main site serves every link, a provider's own site only that provider's. */
function isServedBy({ kind, tenant }: Site, said: SignedOutcome | null): boolean {
  return kind === 'main' || (tenant !== null && tenant.id === said?.providerId);
}

interface OutcomePagesDeps {
  services: RematchServices &
    Pick<Services, 'health' | 'publicReads'> & { limits: Pick<Services['limits'], 'leads'> };
  bundle: Bundle;
}

/** A link that was opened or pressed. */
interface Opened {
  token: string;
  said: SignedOutcome;
}

/**
 * `/outcome/{token}`, on the main site and on the provider's own: a provider reports the outcome of a lead. Opening it
 * shows the lead's first name and ZIP, no contact details, and changes nothing, since mail programs and scanners open
 * links. Its form, a plain POST, records the choice and redirects to the page, which confirms it. The form's token must
 * be the page's; without it, the page is shown again. The tokens are the only proof, so no cookie, Origin or script is
 * required.
 */
export function outcomePages({ services, bundle }: OutcomePagesDeps): AppMiddleware {
  const { config, db, health, limits, now, publicReads } = services;
  const contactEmail = config.contacts.email;

  function show(ctx: AppContext, props: Props, status = statuses[props.state] ?? 200): Promise<void> {
    return sendPlainScreen(ctx, bundle, { name: 'outcome', props, status });
  }

  /** A lead that a restored database lacks. Staff see which provider has it. */
  async function findLost({ publicId, providerId }: SignedOutcome): Promise<Props> {
    if (await isLostLeadEnded(db, { publicId, emailHmac: null })) return { state: 'gone', contactEmail };
    await reportLostLead(services, { publicId, providerId });
    return { state: 'restored', contactEmail };
  }

  /** What a link shows. Throws SERVICE_UNAVAILABLE. */
  async function find({ token, said }: Opened, contradicts = false): Promise<Props> {
    const { publicId, providerId, outcome: proposed } = said;
    const leadId = await publicReads.ask(() => findLinkedLead(db, publicId));
    if (leadId === null) return findLost(said);
    const standing = await publicReads.ask(() => getOutcomePageState(db, { leadId, providerId }));
    if (standing.state !== 'open') return { state: standing.state, contactEmail };
    const { outcome: noted, ...open } = standing;
    return { ...open, noted, proposed, contradicts, formToken: signPage(config.secretKeys, token, now()) };
  }

  /** Records the choice, if the page's token is valid. Returns what to show; null: the page confirms it. */
  async function note(
    opened: Opened,
    { ip, body, responseHeaders }: { ip: string; body: string; responseHeaders: Map<string, string> },
  ): Promise<Props | null> {
    const { publicId, providerId, outcome: proposed } = opened.said;
    const leadId = await publicReads.ask(() => findLinkedLead(db, publicId));
    const form = parseForm(body);
    const page = { pageToken: form['token'] ?? '', now: now() };
    if (leadId === null || !isPageOf(config.secretKeys, opened.token, page)) return find(opened);
    await limits.leads.take(ip, 'outcome', responseHeaders);
    const pressed = form['outcome'] ?? proposed;
    const outcome = leadOutcomes.find((known) => known === pressed);
    if (outcome === undefined) throw new AppError('BAD_REQUEST', 'There is no such outcome.');
    const { contradicts } = await recordByProvider(services, { leadId, providerId, outcome, ip });
    return contradicts ? find(opened, contradicts) : null;
  }

  async function take(ctx: AppContext, opened: Opened): Promise<void> {
    const body = await readText(ctx.req);
    const responseHeaders = new Map<string, string>();
    const { ip } = ctx.state.client;
    const props = await writeWithTimeout(health, () => note(opened, { ip, body, responseHeaders })).finally(
      () => ctx.set(Object.fromEntries(responseHeaders)),
    );
    if (props !== null) return show(ctx, props);
    backToScreen(ctx);
    return undefined;
  }

  async function answer(ctx: AppContext, token: string, said: SignedOutcome | null): Promise<void> {
    if (said === null) return show(ctx, { state: 'unknown', contactEmail });
    if (said.endsAt <= now()) return show(ctx, { state: 'expired', contactEmail });
    const opened = { token, said };
    if (ctx.method === 'POST') return take(ctx, opened);
    return show(ctx, await readAllWithTimeout(() => find(opened), ctx.state.waitedMs));
  }

  return async (ctx, next) => {
    const [, token] = pathPattern.exec(ctx.path) ?? [];
    if (token === undefined) return next();
    const said = readOutcome(config.secretKeys, token);
    if (!isServedBy(ctx.state.site, said)) return next();
    expectScreenMethod(ctx);
    try {
      await answer(ctx, token, said);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code !== 'SERVICE_UNAVAILABLE' && error.code !== 'TOO_MANY_REQUESTS') throw thrown;
      ctx.set('Retry-After', String(error.retryAfterSeconds ?? 5));
      return show(ctx, { state: 'failed', contactEmail }, error.status);
    }
    return undefined;
  };
}
