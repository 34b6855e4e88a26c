import { plainTalk, sideEffectsClaim } from '#shared/brand/trust/plainTalk.ts';
import { studyTexts } from '#shared/brand/trust/study.ts';
import { explainerVideo, financingPartners, pressLogos, testimonial } from '#shared/brand/placeholders.ts';
import { type Claim, listMissingFacts } from '#shared/claims/claim.ts';
import type { ClaimAcceptanceRow } from '#server/db/schema/index.ts';
import { claimFault } from '#server/features/claims/claimAcceptances.ts';
import { countText, open } from './doctorGaps.ts';
import type { Findings } from './doctorReport.ts';

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

/** A line for each study whose claims' notes don't open as a study yet. */
function unpublishedStudies(claims: readonly Claim[]): string[] {
  const studies = new Set(claims.flatMap(({ study }) => study ?? []));
  return [...studies].flatMap((study) => {
    const missing = listMissingFacts(study);
    return missing.length === 0
      ? []
      : [
          `Study notes say “${studyTexts.notPublished}”: ${study.title} doesn't name its ${missing.join(', ')}.`,
        ];
  });
}

type PlainParts = readonly { key: string; text: string }[];

/** Plain talk that the brand leaves out. Beside a claim that there are no side effects, the risks must stand. */
function plainTalkFindings(
  parts: PlainParts,
  hidden: readonly string[],
): { gaps: string[]; notes: string[] } {
  const empty = parts.filter(({ text }) => text.trim() === '').map(({ key }) => key);
  const isClaimed = !hidden.includes(sideEffectsClaim);
  const file = 'src/shared/brand/trust/plainTalk.ts';
  return {
    gaps:
      isClaimed && empty.includes('risks')
        ? [
            `The site claims that there are no side effects, and ${file} doesn't say what can go wrong (risks).`,
          ]
        : [],
    notes: [
      ...(empty.length === 0 ? [] : [`Not set in ${file}, so not shown: ${empty.join(', ')}.`]),
      ...(isClaimed && !empty.includes('risks')
        ? [
            `The claim ${sideEffectsClaim} and ${file} (risks) are shown together: one contradicts the other unless counsel has read both. An owner can hide the claim under “Claims”.`,
          ]
        : []),
    ],
  };
}

interface Facts {
  /** Ids of claims that an owner hides. */
  hidden?: readonly string[];
  /** By default the brand's. */
  plainParts?: PlainParts;
  claims: readonly Claim[];
  /** Null: the database couldn't be checked. */
  acceptances: ReadonlyMap<Claim, ClaimAcceptanceRow> | null;
  /** Whether claims that nobody answers for are in the way. */
  production: boolean;
}

interface BrandFindings {
  brand: Findings;
  /** What the section of the installation says of it, in a line each. */
  installation: Findings;
}

/** Claims that nothing and nobody stands behind, and what the licensee left out. */
export function brandFindings({
  claims,
  acceptances,
  production,
  hidden = [],
  plainParts = plainTalk.parts,
}: Facts): BrandFindings {
  const faulty = claims.flatMap((claim) => {
    const fault = claimFault(claim);
    return fault === null ? [] : [{ claim, fault }];
  });
  const accepted = faulty.filter(({ claim }) => acceptances?.has(claim) === true);
  const gaps = faulty
    .filter((each) => !accepted.includes(each))
    .map(({ fault }) => ({ text: fault, isBlocking: production }));
  const plain = plainTalkFindings(plainParts, hidden);
  const count = `${countText(gaps.length, 'claim')} without proof or approval`;
  const known = acceptances === null ? '' : ', which no owner has accepted';
  const ids = accepted.map(({ claim }) => claim.id);
  return {
    brand: {
      gaps: [...gaps, ...plain.gaps.map(open)],
      notes: [
        ...(gaps.length === 0 ? [] : ['An owner accepts claims with npm run claims (docs/brand.md).']),
        ...(ids.length === 0 ? [] : [`Accepted by an owner (npm run claims -- list): ${ids.join(', ')}.`]),
        ...unsetEntries(),
        ...unpublishedStudies(claims),
        ...plain.notes,
      ],
    },
    installation: {
      gaps: gaps.length === 0 ? [] : [{ ...open(`${count}${known}: see Brand.`), isBlocking: production }],
      notes:
        ids.length === 0
          ? []
          : [`${countText(ids.length, 'claim')} without proof or approval, accepted by an owner: see Brand.`],
    },
  };
}
