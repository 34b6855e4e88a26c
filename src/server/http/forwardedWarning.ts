import type Koa from 'koa';
import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';

/**
 * Logs one warning when a request carries a proxy's header although no proxy is trusted: every visitor then counts as one network. The
 * address isn't logged.
 */
export function forwardedWarning({
  config,
  log,
}: {
  config: Pick<Config, 'trustedProxies'>;
  log: Log;
}): Koa.Middleware {
  let isPending = config.trustedProxies === 0;
  return ({ req: { headers } }, next) => {
    if (isPending && (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined)) {
      isPending = false;
      log.warn(
        'A request came through a proxy, but TRUSTED_PROXIES is 0: limits and evidence have the address of the proxy. Set TRUSTED_PROXIES to the number of proxies in front.',
      );
    }
    return next();
  };
}
