import type { SiteContacts } from '#shared/pages/site.ts';

/** A paragraph, a list, or the block with the company's address, e-mail and phone. */
export type LegalBlock = string | { items: readonly string[] } | { contacts: SiteContacts };

export interface LegalSection {
  /** Anchor in the page. */
  id: string;
  heading: string;
  blocks: readonly LegalBlock[];
  /** A part with an anchor of its own. */
  parts?: readonly { id: string; heading: string; blocks: readonly LegalBlock[] }[];
}

/** One legal document as data, so that the page and the modal draw the same words. */
export interface LegalText {
  title: string;
  /** As shown after "Last updated". */
  lastUpdated: string;
  intro: string;
  sections: readonly LegalSection[];
}
