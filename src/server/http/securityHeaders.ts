import type Koa from 'koa';
import type { Config } from '../config/config.ts';
import type { AppState } from '../tenant/tenant.ts';
import { type Client, clientProtocol } from '../security/clientAddress.ts';

/** What isn't a page loads nothing and is framed by nobody; pages replace it with their own (render/). */
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
  // Map tile servers refuse requests without any Referer; other origins learn our origin and no path.
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
  [
    'Permissions-Policy',
    ['geolocation=(self)', ...deniedFeatures.map((feature) => `${feature}=()`)].join(', '),
  ],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['X-Frame-Options', 'SAMEORIGIN'],
];

/** Means something over https alone; elsewhere browsers ignore it and complain in the console. */
const secureHeaders: readonly (readonly [string, string])[] = [
  // Two years, this host alone: a clinic's other subdomains are not ours to promise for.
  ['Strict-Transport-Security', 'max-age=63072000'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
];

/** Name, value, name, value …: what every answer carries beside its id and its policy, for who writes all headers at once. */
export const rawSecurityHeaders: Record<Client['protocol'], readonly string[]> = {
  http: headers.flat(),
  https: [...headers, ...secureHeaders].flat(),
};

/** Sets the request's id and the security headers, with the closed policy. */
export function setSecurityHeaders(ctx: Koa.ParameterizedContext<AppState>, trustedProxies: number): void {
  const { res, state } = ctx;
  res.setHeader('X-Request-Id', state.requestId);
  res.setHeader('Content-Security-Policy', closedPolicy);
  for (const [name, value] of headers) res.setHeader(name, value);
  if (clientProtocol(ctx.req, trustedProxies) === 'https')
    for (const [name, value] of secureHeaders) res.setHeader(name, value);
}

/** Sets the headers of every answer before anything answers, so that errors carry them too and a page can replace one. */
export function securityHeaders({
  config,
}: {
  config: Pick<Config, 'trustedProxies'>;
}): Koa.Middleware<AppState> {
  return (ctx, next) => {
    setSecurityHeaders(ctx, config.trustedProxies);
    return next();
  };
}
