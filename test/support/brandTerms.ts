import type { SiteContacts } from '#shared/pages/site.ts';
import type { LegalText } from '#shared/pages/legalText.ts';

/** The exports of a brand's folder, by module (`landing.ts`, `legal/terms.ts`). */
export type BrandModules = Record<string, Record<string, unknown>>;

/** Replaces Vite's keys with paths relative to the folder. */
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
  phoneHref: 'CONTACT',
  postalAddress: 'CONTACT',
  arbitrationPlace: 'CONTACT',
};

/** The values inside a sentence. They split it into the parts that both a template and a page contain. */
const variable = /¹|CONTACT|\d+(?:\.\d+)?|P-Long®?|Fernbend™?/;
const phraseLengthMin = 12;

/**
 * The brand's phrases, also of its documents: runs of words without inserted figures and names. Single words and short
 * labels are omitted, because two brands may share them.
 */
export function listPhrases(modules: BrandModules): Set<string> {
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

/** A page's text, without React's markers between texts and with entities decoded. */
export function plainHtml(html: string): string {
  return html
    .replaceAll('<!-- -->', '')
    .replaceAll(/&(?:amp|lt|gt|quot|#x27|#39);/g, (entity) => entities[entity] ?? entity);
}
