/** With `__Host-` a browser takes the cookie from this very host alone, over https, for the whole site (RFC 6265bis, section 4.1.3.2). */
export function sessionCookieName(isSecure: boolean): string {
  return isSecure ? '__Host-session' : 'session';
}

/** The cookie that signs in, or, with an empty value, the one that signs out. Without Max-Age it goes with the browser's own session. */
export function sessionCookie(isSecure: boolean, token: string): string {
  const parts = [`${sessionCookieName(isSecure)}=${token}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (isSecure) parts.push('Secure');
  if (token === '') parts.push('Max-Age=0');
  return parts.join('; ');
}
