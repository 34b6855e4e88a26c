import type { SiteContacts } from '#shared/pages/site.ts';
import type { LegalText } from '#shared/pages/legalText.ts';

/** What a brand's folder exports, by module (`landing.ts`, `legal/terms.ts`). */
export type BrandModules = Record<string, Record<string, unknown>>;

/** Keys below the folder in place of keys from Vite. */
export function byModule(found: Record<string, unknown>, folder: string): BrandModules {
  return Object.fromEntries(
    Object.entries(found).map(([file, module]) => [
      file.slice(file.indexOf(folder) + folder.length + 1),
      { ...(module as object) },
    ]),
  );
}

function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}

const contacts: SiteContacts = {
  email: 'CONTACT',
  phone: 'CONTACT',
  postalAddress: 'CONTACT',
  arbitrationPlace: 'CONTACT',
};

/** Whatever is put into a sentence, so that what stands around it is found in a template as well as in a page. */
const variable = /¹|CONTACT|\d+(?:\.\d+)?|P-Long®?|Fernbend™?/;
const phraseLengthMin = 12;

/**
 * The brand's phrases: runs of words without the figures and names put into them, of documents too. Single words and
 * short labels are left out, as two brands may well share them.
 */
export function phrasesOf(modules: BrandModules): Set<string> {
  const documents = Object.values(modules)
    .flatMap((module) => Object.entries(module))
    .filter(([name]) => /^(?:privacyPolicy|termsAndConditions|refundPolicy)$/.test(name))
    .map(([, write]) => (write as (given: SiteContacts, today: string) => LegalText)(contacts, '2026-01-02'));
  const phrases = [...strings(modules), ...strings(documents)]
    .flatMap((text) => text.split(variable))
    .map((text) => text.trim())
    .filter((text) => text.length >= phraseLengthMin && text.includes(' '));
  return new Set(phrases);
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#39;': "'",
};

/** A page as its words stand in it: the marks React leaves between texts gone, entities resolved. */
export function plainHtml(html: string): string {
  return html
    .replaceAll('<!-- -->', '')
    .replaceAll(/&(?:amp|lt|gt|quot|#x27|#39);/g, (entity) => entities[entity] ?? entity);
}
