import type Koa from 'koa';
import type { Config } from '../config.ts';
import type { AppState } from '../tenant/tenant.ts';
import { clientProtocol } from './clientAddress.ts';

/** What isn't a page loads nothing and is framed by nobody; pages replace it with their own (render/). */
export const closedPolicy = "default-src 'none'; frame-ancestors 'none'";

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
  ['Content-Security-Policy', closedPolicy],
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

/** Sets the security headers before anything answers, so that errors carry them too and a page can replace one. */
export function securityHeaders({
  config,
}: {
  config: Pick<Config, 'trustedProxies'>;
}): Koa.Middleware<AppState> {
  return (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    if (clientProtocol(ctx.req, config.trustedProxies) === 'https')
      for (const [name, value] of secureHeaders) ctx.res.setHeader(name, value);
    return next();
  };
}
