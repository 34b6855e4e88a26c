import type { SiteContacts } from '#shared/pages/site.ts';

/** A paragraph, a list, or the block of the company's address, email and phone. */
export type LegalBlock = string | { items: readonly string[] } | { contacts: SiteContacts };

export interface LegalSection {
  /** Anchor in the page. */
  id: string;
  heading: string;
  blocks: readonly LegalBlock[];
  /** A part with its own anchor. */
  parts?: readonly { id: string; heading: string; blocks: readonly LegalBlock[] }[];
}

/** One legal document as data, for the page and the dialog. */
export interface LegalText {
  title: string;
  /** As shown after "Last updated". */
  lastUpdated: string;
  intro: string;
  sections: readonly LegalSection[];
}
