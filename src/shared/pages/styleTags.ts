/** In the text of a page's styles: what is before it has a tag of its own. */
export const styleTagEnd = '/*!tag*/';
