/** FNV-1a, 32 bits: tells one text from the next in a link; nothing secret hangs on it. */
export function textTag(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0).toString(36);
}
