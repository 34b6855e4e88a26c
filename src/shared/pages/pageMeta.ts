/** The picture a shared link is shown with; its address is absolute. */
export interface PageImage {
  url: string;
  width: number;
  height: number;
  alt: string;
}

/** What the head of a page says of it. `jsonLd` is a schema.org object. */
export interface PageMeta {
  title: string;
  description: string;
  /** Absolute address, or null where a page has none of its own. */
  canonical: string | null;
  robots: 'index' | 'noindex';
  og: { title: string; description: string; url: string; image: PageImage };
  jsonLd: object | null;
}
