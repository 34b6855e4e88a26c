const htmlEscapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

/** React's five replacements, for text and attributes: filled values must equal what React renders. */
export function escapeHtml(text: string): string {
  return /["'&<>]/.test(text)
    ? text.replace(/["'&<>]/g, (character) => htmlEscapes[character] ?? character)
    : text;
}
