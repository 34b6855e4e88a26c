import type Koa from 'koa';
import { backgroundHeader } from '#shared/admin/backgroundHeader.ts';
import type { AppState } from '../tenant/tenant.ts';
import type { Credentials } from '../caller.ts';
import { deviceCookieName } from '../security/deviceCookie.ts';
import { sessionCookieName } from '../security/sessionCookie.ts';
import { originOf } from './sameOrigin.ts';

function cookieValue(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || null;
  }
  return null;
}

/** Reads what a request shows of who sent it. Other schemes than Bearer are a proxy's business. */
export function credentialsOf(ctx: Koa.ParameterizedContext<AppState>): Credentials {
  const isSecure = ctx.state.client.protocol === 'https';
  const cookies = ctx.get('Cookie');
  return {
    session: cookieValue(cookies, sessionCookieName(isSecure)),
    device: cookieValue(cookies, deviceCookieName(isSecure)),
    bearer: /^Bearer +(\S+) *$/i.exec(ctx.get('Authorization'))?.[1] ?? null,
    // `is` says null for a request without a body, which no form can send from elsewhere with our origin.
    isOwnPage: originOf(ctx) === 'own' && ctx.is('application/json') !== false,
    isSecure,
    isBackground: ctx.get(backgroundHeader) === '1',
  };
}
