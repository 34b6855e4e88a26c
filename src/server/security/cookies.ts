/**
 * With `__Host-`, a browser accepts the cookie from this host only, over https, for the whole site (RFC 6265bis,
 * section 4.1.3.2).
 */
export function sessionCookieName(isSecure: boolean): string {
  return isSecure ? '__Host-session' : 'session';
}

/** The cookie that signs in; an empty value signs out. Without Max-Age, it ends with the browser's own session. */
export function sessionCookie(isSecure: boolean, token: string): string {
  const parts = [`${sessionCookieName(isSecure)}=${token}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (isSecure) parts.push('Secure');
  if (token === '') parts.push('Max-Age=0');
  return parts.join('; ');
}

/** How long a device stays known after a sign-in. */
export const deviceDays = 180;

/** As for the session: with `__Host-`, a browser accepts the cookie from this host only, over https. */
export function deviceCookieName(isSecure: boolean): string {
  return isSecure ? '__Host-device' : 'device';
}

/** The cookie by which a browser that signed in is recognized at its next sign-in. It grants no access. */
export function deviceCookie(isSecure: boolean, value: string): string {
  const parts = [
    `${deviceCookieName(isSecure)}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${deviceDays * 86_400}`,
  ];
  if (isSecure) parts.push('Secure');
  return parts.join('; ');
}
