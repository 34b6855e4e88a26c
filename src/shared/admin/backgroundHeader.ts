/** `1` on what a page asks by itself, again and again: it doesn't count as use of the session. */
export const backgroundHeader = 'X-Background';
