/** The image of a shared link. Its URL is absolute. */
export interface PageImage {
  url: string;
  width: number;
  height: number;
  alt: string;
}

/** The content of a page's head. `jsonLd` is a schema.org object. */
export interface PageMeta {
  title: string;
  description: string;
  /** Absolute URL. Null if search engines should not index the page. */
  canonical: string | null;
  robots: 'index' | 'noindex';
  og: { title: string; description: string; url: string; image: PageImage };
  jsonLd: object | null;
}
