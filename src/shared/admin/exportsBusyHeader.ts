/** On the 503 of an export while others are under way: a page asks by HEAD, which has no body to say so. */
export const exportsBusyHeader = 'X-Exports-Busy';
