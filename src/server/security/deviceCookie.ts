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
