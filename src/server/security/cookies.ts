/** With `__Host-`, browsers accept it from this host only, by https, for the whole site (RFC 6265bis, 4.1.3.2). */
export function sessionCookieName(isSecure: boolean): string {
  return isSecure ? '__Host-session' : 'session';
}

function buildCookie(isSecure: boolean, pair: string, maxAgeSeconds: number | null): string {
  const parts = [pair, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (maxAgeSeconds !== null) parts.push(`Max-Age=${maxAgeSeconds}`);
  if (isSecure) parts.push('Secure');
  return parts.join('; ');
}

/** The cookie that signs in; an empty value signs out. Without Max-Age, it ends with the browser's own session. */
export function sessionCookie(isSecure: boolean, token: string): string {
  return buildCookie(isSecure, `${sessionCookieName(isSecure)}=${token}`, token === '' ? 0 : null);
}

/** How long a device stays known after a sign-in. */
export const deviceDays = 180;

/** As for the session: with `__Host-`, a browser accepts the cookie from this host only, over https. */
export function deviceCookieName(isSecure: boolean): string {
  return isSecure ? '__Host-device' : 'device';
}

/** The cookie by which a browser that signed in is recognized at its next sign-in. It grants no access. */
export function deviceCookie(isSecure: boolean, value: string): string {
  return buildCookie(isSecure, `${deviceCookieName(isSecure)}=${value}`, deviceDays * 86_400);
}

/** How long a person has for the code or the provider's page. */
export const stepMinutes = 10;

/** The cookie of a sign-in that still needs a step (features/auth/totpSteps.ts). */
export function stepCookieName(isSecure: boolean): string {
  return isSecure ? '__Host-sign-in-step' : 'sign-in-step';
}

/** An empty value ends it. */
export function stepCookie(isSecure: boolean, value: string): string {
  return buildCookie(isSecure, `${stepCookieName(isSecure)}=${value}`, value === '' ? 0 : stepMinutes * 60);
}
