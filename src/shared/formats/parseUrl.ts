/** Parses an absolute URL, or one relative to `base`. Null if invalid. Some supported browsers lack `URL.parse`. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
