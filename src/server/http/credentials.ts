import type Koa from 'koa';
import { backgroundHeader } from '#shared/admin/backgroundHeader.ts';
import type { AppState } from '../tenant/tenant.ts';
import type { Credentials } from '../caller.ts';
import { deviceCookieName } from '../security/deviceCookie.ts';
import { sessionCookieName } from '../security/sessionCookie.ts';
import { originOf } from './sameOrigin.ts';

/** Reads the credentials that a request carries. Schemes other than Bearer belong to a proxy. */
export function credentialsOf(ctx: Koa.ParameterizedContext<AppState>): Credentials {
  const isSecure = ctx.state.client.protocol === 'https';
  return {
    session: ctx.cookies.get(sessionCookieName(isSecure)) || null,
    device: ctx.cookies.get(deviceCookieName(isSecure)) || null,
    bearer: /^Bearer +(\S+) *$/i.exec(ctx.get('Authorization'))?.[1] ?? null,
    // `is` returns null for a request without a body, which no form of another site can send with our origin.
    isOwnPage: originOf(ctx) === 'own' && ctx.is('application/json') !== false,
    isSecure,
    isBackground: ctx.get(backgroundHeader) === '1',
  };
}
