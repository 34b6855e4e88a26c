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

/**
 * Makes JSON text safe inside a script element: without `<` neither `</script>` nor `<!--` can occur, and U+2028 and U+2029 are no line ends.
 * All three stand in JSON only within strings, where the escape means the same.
 */
export function escapeJson(json: string): string {
  return /[<\u2028\u2029]/.test(json)
    ? json.replace(
        /[<\u2028\u2029]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    : json;
}
