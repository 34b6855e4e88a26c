import { type Claim, claims } from '#shared/brand/claims.ts';
import { explainerVideo, financingPartners, pressLogos, testimonial } from '#shared/brand/placeholders.ts';
import { countOf, type Gap, open } from './doctorGaps.ts';
import type { Findings } from './doctorReport.ts';

function isBlank(text: string | null): boolean {
  return text === null || text.trim() === '';
}

/** A sentence for a claim that names no proof or no approval; null for one that names both. */
function claimFault({ id, text, substantiation, approvedBy, approvedAt }: Claim): string | null {
  const isUnapproved = isBlank(approvedBy) || isBlank(approvedAt);
  const claim = `The claim ${id} (“${text}”)`;
  if (isBlank(substantiation))
    return isUnapproved ? `${claim} names no proof, and nobody has approved it.` : `${claim} names no proof.`;
  return isUnapproved ? `${claim} hasn't been approved by anybody.` : null;
}

/** One line for the entries of the brand that are hidden because they aren't set. */
function unsetEntries(): string[] {
  const unset = [
    ...[...pressLogos, ...financingPartners]
      .filter(({ name, logoUrl }) => name === null || logoUrl === null)
      .map(({ id }) => id),
    ...(testimonial === null ? ['testimonial'] : []),
    ...(explainerVideo === null ? ['explainer video'] : []),
  ];
  if (unset.length === 0) return [];
  return [`Not set in src/shared/brand/placeholders.ts, so not shown: ${unset.join(', ')}.`];
}

/** What nothing stands behind yet, and what the licensee left out. */
export function brandFindings(): Findings {
  const faults = claims.map(claimFault).filter((fault) => fault !== null);
  return { gaps: faults.map(open), notes: unsetEntries() };
}

/** The one line about claims among the gaps of the installation. */
export function claimCount({ gaps }: Findings): Gap[] {
  return gaps.length === 0
    ? []
    : [open(`${countOf(gaps.length, 'claim')} without proof or approval: see Brand.`)];
}
