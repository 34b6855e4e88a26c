import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import type { Config } from '../config/config.ts';
import { AppError } from '../errors.ts';
import { type Client, clientAddress, clientProtocol, forwardedEntry } from '../security/clientAddress.ts';
import { type MainHosts, parseHost } from './parseHost.ts';
import type { Awaitable, Site, TenantDirectory } from './site.ts';
import type { ProviderRecord } from './providerRecord.ts';

/** What the middlewares add for later ones: requestStart.ts sets `requestId`, tenantMiddleware the rest. */
export interface AppState {
  requestId: string;
  client: Client;
  site: Site;
  /** Milliseconds spent on finding the site, which count toward the deadline of a read. */
  waitedMs: number;
}

export type AppContext = Koa.ParameterizedContext<AppState>;
export type AppMiddleware = Koa.Middleware<AppState>;

/**
 * Decides a request's site by its Host header, or by X-Forwarded-Host from a configured trusted proxy. A malformed host
 * is a 400. A known provider's host whose record can't be read is a 503, never the main site.
 */
export function tenantMiddleware({
  config,
  tenants,
}: {
  config: MainHosts & Pick<Config, 'trustedProxies' | 'trustForwardedHost'>;
  tenants: TenantDirectory;
}): Koa.Middleware<AppState> {
  const { trustedProxies, trustForwardedHost } = config;
  return (ctx, next) => {
    const forwarded = trustForwardedHost
      ? forwardedEntry(ctx.req.headers['x-forwarded-host'], trustedProxies)
      : null;
    const header = forwarded ?? onlyHost(ctx.req);
    const match = parseHost(decoded(header), config);
    if (match.kind === 'invalid') throw new AppError('BAD_REQUEST', 'The Host header is not valid.');
    ctx.state.client = {
      ip: clientAddress(ctx.req, trustedProxies),
      protocol: clientProtocol(ctx.req, trustedProxies),
      host: header ?? '',
    };
    const site = getSite(match, tenants);
    if (site instanceof Promise) return onceKnown(ctx.state, site, next);
    ctx.state.site = site;
    ctx.state.waitedMs = 0;
    return next();
  };
}

/** Allows only one Host header: Node uses the first of several, a proxy may use another (RFC 9112 section 3.2). */
function onlyHost({ headers, rawHeaders }: IncomingMessage): string | undefined {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1 ? undefined : headers.host;
}

async function onceKnown(state: AppState, site: Promise<Site>, next: Koa.Next): Promise<unknown> {
  const startedAtMs = performance.now();
  state.site = await site;
  state.waitedMs = performance.now() - startedAtMs;
  return next();
}

function getSite(
  { kind, host }: { kind: 'main' | 'other'; host: string },
  tenants: TenantDirectory,
): Awaitable<Site> {
  if (kind === 'main') return { kind, host, tenant: null };
  const tenant = tenants.findByHost(host);
  return tenant instanceof Promise ? tenant.then((found) => otherSite(host, found)) : otherSite(host, tenant);
}

function otherSite(host: string, tenant: ProviderRecord | null): Site {
  return tenant === null ? { kind: 'unknown', host, tenant } : { kind: 'tenant', host, tenant };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Node decodes headers as Latin-1, but clients may send an IDN as UTF-8. Anything else is no host. */
function decoded(header: string | undefined): string | undefined {
  if (header === undefined || /^\p{ASCII}*$/u.test(header)) return header;
  try {
    return utf8.decode(Buffer.from(header, 'latin1'));
  } catch {
    return undefined;
  }
}
