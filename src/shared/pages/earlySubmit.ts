/** Of a form that only a script can send: until the page is live, its button is disabled and Enter is remembered. */
export const waitsAttribute = 'data-waits';
/** Of such a form in which Enter was pressed early. */
export const sentEarlyAttribute = 'data-sent-early';
