/** What the head of a page says of it. `jsonLd` is a schema.org object. */
export interface PageMeta {
  title: string;
  description: string;
  /** Absolute address, or null where a page has none of its own. */
  canonical: string | null;
  robots: 'index' | 'noindex';
  og: { title: string; description: string; url: string; image: string | null };
  jsonLd: object | null;
}
