import type { Config } from '../config/config.ts';
import type { AppContext, AppMiddleware } from '../tenant/tenant.ts';
import { type Client, clientProtocol } from '../security/clientAddress.ts';

/** Responses that are not pages load nothing and cannot be framed. Pages replace it with their own policy (render/). */
const closedPolicy = "default-src 'none'; frame-ancestors 'none'";

const deniedFeatures = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'usb',
];

const headers: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  // Map tile servers refuse requests without any Referer. Other origins get our origin and no path.
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  [
    'Permissions-Policy',
    ['geolocation=(self)', ...deniedFeatures.map((feature) => `${feature}=()`)].join(', '),
  ],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['X-Frame-Options', 'SAMEORIGIN'],
];

/** Has a meaning on https only. On http, browsers ignore it and log a warning. */
const secureHeaders: readonly (readonly [string, string])[] = [
  // Two years, for this host only: a provider's other subdomains are not ours.
  ['Strict-Transport-Security', 'max-age=63072000'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
];

/** All headers but the request's id and policy (name, value, …), for code that writes them with one call. */
export const rawSecurityHeaders: Record<Client['protocol'], readonly string[]> = {
  http: headers.flat(),
  https: [...headers, ...secureHeaders].flat(),
};

/** Sets the request's id and the security headers, with the strictest policy. */
export function setSecurityHeaders(ctx: AppContext, trustedProxies: number): void {
  const { res, state } = ctx;
  res.setHeader('X-Request-Id', state.requestId);
  res.setHeader('Content-Security-Policy', closedPolicy);
  for (const [name, value] of headers) res.setHeader(name, value);
  if (clientProtocol(ctx.req, trustedProxies) === 'https')
    for (const [name, value] of secureHeaders) res.setHeader(name, value);
}

/** Sets the headers of every response in advance, so that errors have them too and a page can replace one. */
export function securityHeaders({ config }: { config: Pick<Config, 'trustedProxies'> }): AppMiddleware {
  return (ctx, next) => {
    setSecurityHeaders(ctx, config.trustedProxies);
    return next();
  };
}
