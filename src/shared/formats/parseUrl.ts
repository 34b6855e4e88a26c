/** The address a text is, absolute or from `base`; null for any other text. By hand, as browsers that are still in use lack `URL.parse`. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
