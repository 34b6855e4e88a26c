/** `1` on requests that a page repeats on its own: they don't extend the session. */
export const backgroundHeader = 'X-Background';
