const htmlEscapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

/** The same five replacements React makes, for text and attributes alike: what is filled in later must equal what React would have drawn. */
export function escapeHtml(text: string): string {
  return /["'&<>]/.test(text)
    ? text.replace(/["'&<>]/g, (character) => htmlEscapes[character] ?? character)
    : text;
}
