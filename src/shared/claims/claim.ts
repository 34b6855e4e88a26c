/** A study behind claims. Null: not known, or not published. Nothing may be filled in that the study doesn't say. */
export interface Study {
  title: string;
  participants: number | null;
  months: number | null;
  design: string | null;
  measuredBy: string | null;
  funding: string | null;
  /** What it doesn't show. */
  limits: string | null;
  citation: string | null;
  url: string | null;
  reviewedBy: string | null;
  /** ISO date. */
  reviewedOn: string | null;
}

/**
 * The pages that make a claim. `mainSite` and `clinics` are on the main host only; `paymentPlans` needs a provider's
 * plans.
 */
export type ClaimPages = 'everySite' | 'mainSite' | 'paymentPlans' | 'clinics';

/** One marketing claim and its proof. A claim without substantiation or approval is an open task of the licensee. */
export interface Claim<Id extends string = string> {
  id: Id;
  text: string;
  /** Reference to the study or document that proves it. */
  substantiation: string | null;
  approvedBy: string | null;
  /** ISO date. */
  approvedAt: string | null;
  /** The study that its marks open. Null: none, as for a term of the offer. */
  study: Study | null;
  madeOn: ClaimPages;
  /** How the texts state it, in any case. A hidden claim takes each sentence, or entry of a list, with one of these. */
  says: readonly string[];
  /** Parts of a sentence that state it. A hidden claim takes only these. */
  words: readonly string[];
}

/** What a study must say before its claims' marks open it as a study. */
const requiredFields = ['design', 'measuredBy', 'funding', 'limits'] as const;

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === '';
}

/** The required facts that a study leaves open. Empty: it is published. */
export function listMissingFacts(study: Study): (typeof requiredFields)[number][] {
  return requiredFields.filter((field) => isBlank(study[field]));
}

/** How to recognize a hidden claim. `place` is its index in the registry: a page's data must not say what it hides. */
export interface HiddenClaim extends Pick<Claim, 'id' | 'says' | 'words'> {
  place: number;
}

/** The claims of a registry that are hidden. */
export function pickHidden(
  registry: readonly Claim[],
  isHidden: (id: string, place: number) => boolean,
): HiddenClaim[] {
  return registry.flatMap(({ id, says, words }, place) =>
    isHidden(id, place) ? [{ id, says, words, place }] : [],
  );
}

type Wording = Pick<HiddenClaim, 'id' | 'says' | 'words'>;

function includesAny(text: string, phrases: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return phrases.some((phrase) => lower.includes(phrase.toLowerCase()));
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/**
 * The text without the sentences and words of hidden claims; empty if nothing is left. A mark stays at its sentence.
 */
function cutText(text: string, hidden: readonly Wording[]): string {
  const words = hidden.flatMap((claim) => claim.words);
  const rest = words.reduce((left, word) => left.replaceAll(new RegExp(escapePattern(word), 'gi'), ''), text);
  const says = hidden.flatMap((claim) => [...claim.says, `¹[${claim.id}]`]);
  if (!includesAny(rest, says)) return rest;
  return rest
    .split(/(?<=[.!?](?:¹(?:\[[a-z-]+\])?)?) /)
    .filter((sentence) => !includesAny(sentence, says))
    .join(' ');
}

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);

/** Whether an entry of a list states a hidden claim, or lost a whole text. */
function isLost(before: unknown, after: unknown, hidden: readonly Wording[]): boolean {
  if (typeof before !== 'object' || before === null) return isEmpty(after) && !isEmpty(before);
  if ('claim' in before && hidden.some(({ id }) => id === before.claim)) return true;
  const kept = new Map(Object.entries(after ?? {}));
  return Object.entries(before).some(([key, value]) => isEmpty(kept.get(key)) && !isEmpty(value));
}

/** Copy of which texts may be gone. A text has a space; a key has none and stays. */
export type ShownCopy<Copy> = Copy extends `${string} ${string}`
  ? string
  : Copy extends string | number | boolean | null | undefined | ((...parts: never[]) => unknown)
    ? Copy
    : Copy extends readonly (infer Item)[]
      ? readonly ShownCopy<Item>[]
      : { [Key in keyof Copy]: ShownCopy<Copy[Key]> };

/**
 * Copy without what states a hidden claim: sentences of texts, entries of lists, and of a list's objects those that
 * name the claim (`claim`) or lose a whole text. A text outside of lists that states nothing else becomes empty.
 */
export function withoutClaims<Copy>(copy: Copy, hidden: readonly Wording[]): ShownCopy<Copy>;
export function withoutClaims(copy: unknown, hidden: readonly Wording[]): unknown {
  if (hidden.length === 0) return copy;
  if (typeof copy === 'string') return cutText(copy, hidden);
  if (Array.isArray(copy))
    return copy.flatMap((item: unknown) => {
      const kept = withoutClaims(item, hidden);
      return isLost(item, kept, hidden) ? [] : [kept];
    });
  if (typeof copy !== 'object' || copy === null) return copy;
  return Object.fromEntries(Object.entries(copy).map(([key, value]) => [key, withoutClaims(value, hidden)]));
}
