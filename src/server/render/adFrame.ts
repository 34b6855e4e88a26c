import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { asciiJson } from '#shared/formats/text.ts';
import { type AdIds, hasAdIds } from '#shared/providers/adIds.ts';
import { providerOrigin } from '#shared/pages/site.ts';
import { type Config, publicConfig } from '../config/config.ts';
import { readAllWithTimeout } from '../db/withTimeout.ts';
import { toView } from '../tenant/providerRecord.ts';
import type { Site, TenantDirectory } from '../tenant/site.ts';
import type { AppMiddleware } from '../tenant/tenant.ts';
import { isOptedOut } from '../http/requestHeaders.ts';
import { type Conversion, reportConversion } from './conversionScript.ts';
import { framePolicy } from './csp.ts';

const pathPattern = /^\/ads\/conversion(?:\/([1-9]\d{0,14}))?$/;
const script = `(${reportConversion.toString()})()`;

interface AdFrameDeps {
  config: Config;
  tenants: Pick<TenantDirectory, 'findById'>;
  /** The ad accounts of an active provider. */
  adIdsOf: (providerId: number) => Promise<AdIds>;
}

/** A page's ad accounts: the provider's on its host and its microsite on the main site, otherwise the brand's. */
interface Advertiser {
  ids: AdIds;
  origin: string;
}

function getConversion({ ids, origin }: Advertiser): Conversion {
  const { google, microsoft } = ids;
  const [tagId = '', label] = google?.split('/') ?? [];
  return {
    google:
      google === null
        ? null
        : { tagId, sendTo: google, event: label === undefined ? 'generate_lead' : 'conversion' },
    microsoft,
    transactionId: randomUUID(),
    origin: `${origin}/`,
  };
}

/** Whether a page of this site requests a frame, by headers that browsers set and pages cannot. */
function isFramedByUs({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-dest'] === 'iframe' && headers['sec-fetch-site'] === 'same-origin';
}

function getFrame(conversion: Conversion): string {
  const data = asciiJson(conversion);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Ad measurement</title></head><body><script type="application/json" id="conversion">${data}</script><script>${script}</script></body></html>`;
}

/**
 * `GET /ads/conversion[/{providerId}]`: the document in which the ad networks' scripts run. The page loads it in a
 * hidden frame after a lead was created and the visitor agreed (client/sections/adConsent). Any other request is
 * refused, since a link to it would report a lead that does not exist. Its policy sandboxes it into an origin of its
 * own: the scripts reach neither the page with the form, nor cookies, nor a URL with a query. 404 for a site without
 * accounts and for browsers that send Global Privacy Control.
 */
export function adFrame({ config, tenants, adIdsOf }: AdFrameDeps): AppMiddleware {
  const { mainOrigin } = publicConfig(config);

  async function getAdvertiser(site: Site, providerId: number | null): Promise<Advertiser | null> {
    const provider =
      site.kind === 'main' && providerId !== null ? await tenants.findById(providerId) : site.tenant;
    if (provider !== null) {
      const origin = site.kind === 'tenant' ? providerOrigin(provider, mainOrigin) : mainOrigin;
      return toView(provider).measuresAds ? { ids: await adIdsOf(provider.id), origin } : null;
    }
    return providerId === null ? { ids: config.adIds, origin: mainOrigin } : null;
  }

  return async (ctx, next) => {
    const match = pathPattern.exec(ctx.path);
    if (match === null || ctx.method !== 'GET') return next();
    const [, id] = match;
    const advertiser =
      isOptedOut(ctx.req) || !isFramedByUs(ctx.req)
        ? null
        : await readAllWithTimeout(
            () => getAdvertiser(ctx.state.site, id === undefined ? null : Number(id)),
            ctx.state.waitedMs,
          );
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Robots-Tag', 'noindex');
    if (advertiser === null || !hasAdIds(advertiser.ids)) {
      ctx.status = 404;
      ctx.body = 'Not Found';
      return undefined;
    }
    const conversion = getConversion(advertiser);
    ctx.set('Content-Type', 'text/html; charset=utf-8');
    ctx.set('Content-Security-Policy', framePolicy(advertiser.ids, script));
    ctx.body = getFrame(conversion);
    return undefined;
  };
}
