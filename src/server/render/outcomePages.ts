import type Koa from 'koa';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import type { PlainScreenProps } from '#shared/pages/plainScreen.ts';
import { readAllWithTimeout, writeWithTimeout } from '../db/withTimeout.ts';
import { AppError, toAppError } from '../errors.ts';
import { findLinkedLead } from '../features/leads/detail/linkedLead.ts';
import { getOutcomePageState, recordByProvider } from '../features/outcomes/recordOutcome.ts';
import { readOutcome, type SignedOutcome } from '../features/mail/linkTokens.ts';
import type { RematchServices } from '../features/leads/changes/rematchRules.ts';
import { parseForm, readText } from '../rest/requestBody.ts';
import type { Site } from '../tenant/site.ts';
import type { AppState } from '../tenant/tenant.ts';
import type { Services } from '../services.ts';
import type { Bundle } from './bundle.ts';
import { backToScreen, sendPlainScreen } from './plainScreen.ts';

type Context = Koa.ParameterizedContext<AppState>;
type Props = PlainScreenProps['outcome'];

const pathPattern = /^\/outcome\/([^/]{1,200})$/;
const statuses: Partial<Record<Props['state'], number>> = { unknown: 404, gone: 410, expired: 410 };

/** The main site serves every link, a provider's own site only that provider's. */
function isServedBy({ kind, tenant }: Site, said: SignedOutcome | null): boolean {
  return kind === 'main' || (tenant !== null && tenant.id === said?.providerId);
}

interface OutcomePagesDeps {
  services: RematchServices & Pick<Services, 'health' | 'leadLimits' | 'reads'>;
  bundle: Bundle;
}

/**
 * `/outcome/{token}`, on the main site and on the provider's own: a provider reports the outcome of a lead. Opening it
 * shows the lead's first name and ZIP, no contact details, and changes nothing, since mail programs and scanners open
 * links. Its form, a plain POST, records the choice and redirects to the page, which confirms it. The token is the only
 * proof, so no cookie, Origin or script is required.
 */
export function outcomePages({ services, bundle }: OutcomePagesDeps): Koa.Middleware<AppState> {
  const { config, db, health, leadLimits, now, reads } = services;
  const contactEmail = config.contacts.email;

  function show(ctx: Context, props: Props, status = statuses[props.state] ?? 200): Promise<void> {
    return sendPlainScreen(ctx, bundle, { name: 'outcome', props, status });
  }

  /** What a link shows. Throws SERVICE_UNAVAILABLE. */
  async function find({ publicId, providerId, outcome: proposed }: SignedOutcome): Promise<Props> {
    const leadId = await reads.ask(() => findLinkedLead(db, publicId));
    if (leadId === null) return { state: 'gone', contactEmail };
    const standing = await reads.ask(() => getOutcomePageState(db, { leadId, providerId }));
    if (standing.state !== 'open') return { state: standing.state, contactEmail };
    const { state, firstName, zipCode, outcome: noted } = standing;
    return { state, firstName, zipCode, noted, proposed };
  }

  /** Records the choice; false if the lead is gone. */
  async function note(
    { publicId, providerId, outcome: proposed }: SignedOutcome,
    { ip, body, limits }: { ip: string; body: string; limits: Map<string, string> },
  ): Promise<boolean> {
    const leadId = await reads.ask(() => findLinkedLead(db, publicId));
    if (leadId === null) return false;
    await leadLimits.take(ip, 'outcome', limits);
    const pressed = parseForm(body)['outcome'] ?? proposed;
    const outcome = leadOutcomes.find((known) => known === pressed);
    if (outcome === undefined) throw new AppError('BAD_REQUEST', 'There is no such outcome.');
    await recordByProvider(services, { leadId, providerId, outcome, ip });
    return true;
  }

  async function take(ctx: Context, said: SignedOutcome): Promise<void> {
    const body = await readText(ctx.req);
    const limits = new Map<string, string>();
    const { ip } = ctx.state.client;
    const noted = await writeWithTimeout(health, () => note(said, { ip, body, limits })).finally(() =>
      ctx.set(Object.fromEntries(limits)),
    );
    if (!noted) return show(ctx, { state: 'gone', contactEmail });
    backToScreen(ctx);
    return undefined;
  }

  async function answer(ctx: Context, said: SignedOutcome | null): Promise<void> {
    if (said === null) return show(ctx, { state: 'unknown', contactEmail });
    if (said.endsAt <= now()) return show(ctx, { state: 'expired', contactEmail });
    if (ctx.method === 'POST') return take(ctx, said);
    return show(ctx, await readAllWithTimeout(() => find(said), ctx.state.waitedMs));
  }

  return async (ctx, next) => {
    const [, token] = pathPattern.exec(ctx.path) ?? [];
    if (token === undefined) return next();
    const said = readOutcome(config.secretKeys, token);
    if (!isServedBy(ctx.state.site, said)) return next();
    if (!['GET', 'HEAD', 'POST'].includes(ctx.method)) {
      ctx.set('Allow', 'GET, HEAD, POST');
      throw new AppError('METHOD_NOT_SUPPORTED', 'Use GET or POST.');
    }
    try {
      await answer(ctx, said);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code !== 'SERVICE_UNAVAILABLE' && error.code !== 'TOO_MANY_REQUESTS') throw thrown;
      ctx.set('Retry-After', String(error.retryAfterSeconds ?? 5));
      return show(ctx, { state: 'failed', contactEmail }, error.status);
    }
    return undefined;
  };
}
