/**
 * A value as ASCII JSON, safe inside a script element: without `<`, neither `</script>` nor `<!--` can occur. Escaped
 * characters occur only in strings, where the escape means the same.
 */
export function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\x7f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
