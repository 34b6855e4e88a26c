/** Of a form that only a script can send: until the page is live, its submit waits. */
export const waitsAttribute = 'data-waits';
/** Of such a form that was submitted early. */
export const sentEarlyAttribute = 'data-sent-early';
