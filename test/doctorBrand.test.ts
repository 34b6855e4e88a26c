import { expect, test } from 'vitest';
import { brandFindings } from '#scripts/doctorBrand.ts';
import { claims } from '#shared/brand/claims.ts';
import { explainerVideo, financingPartners, pressLogos, testimonial } from '#shared/brand/placeholders.ts';
import { plainTalk, sideEffectsClaim } from '#shared/brand/trust/plainTalk.ts';
import { protocolStudy, studyTexts } from '#shared/brand/trust/study.ts';
import type { Claim, Study } from '#shared/claims/claim.ts';
import { meets } from '#test/support/meets.ts';

test('every unproven claim and every empty entry of the brand is named', () => {
  meets('D.copy.04 D.copy.06 D.copy.07 D.copy.14 D.copy.15');
  const { brand, installation } = brandFindings({ claims, acceptances: new Map(), production: false });
  const { gaps } = brand;
  expect(claims.length).toBeGreaterThan(0);
  for (const { id, substantiation } of claims)
    expect(gaps.filter(({ text }) => text.startsWith(`The claim ${id} (`))).toHaveLength(
      substantiation === null ? 1 : 0,
    );
  expect(installation).toEqual({
    gaps:
      gaps.length === 0
        ? []
        : [
            {
              text: `${gaps.length} claims without proof or approval, which no owner has accepted: see Brand.`,
              isBlocking: false,
            },
          ],
    notes: [],
  });
  const unsetNote = brand.notes.find((note) => note.startsWith('Not set')) ?? '';
  const named = unsetNote
    .replace(/^.*: |\.$/g, '')
    .split(', ')
    .filter(Boolean);
  expect(pressLogos).toHaveLength(8);
  expect(financingPartners).toHaveLength(2);
  const unset = [...pressLogos, ...financingPartners].filter(
    (entry) => entry.name === null || entry.logoUrl === null,
  );
  expect(named).toEqual([
    ...unset.map(({ id }) => id),
    ...(testimonial === null ? ['testimonial'] : []),
    ...(explainerVideo === null ? ['explainer video'] : []),
  ]);
});

const unproven: Claim = {
  id: 'average',
  text: '23% average increase.',
  substantiation: ' ',
  approvedBy: 'Counsel',
  approvedAt: '2026-11-01',
  study: null,
  madeOn: 'everySite',
  says: [],
  words: [],
};

test('claims that nobody answers for are in the way of production only', () => {
  const isBlocking = (production: boolean): boolean[] => {
    // Without a database, no acceptance is known.
    const { brand, installation } = brandFindings({ claims: [unproven], acceptances: null, production });
    return [...brand.gaps, ...installation.gaps].map((gap) => gap.isBlocking);
  };
  expect(isBlocking(true)).toEqual([true, true]);
  expect(isBlocking(false)).toEqual([false, false]);
});

const file = 'src/shared/brand/trust/plainTalk.ts';
const allParts = plainTalk.parts.map(({ key }) => ({ key, text: 'A sentence.' }));
const withoutRisks = allParts.map((part) => (part.key === 'risks' ? { ...part, text: ' ' } : part));

/** What is found of plain talk: what is open, then the notes. */
function plainTalkLines(plainParts: typeof allParts, hidden: string[] = []): string[][] {
  const facts = { claims: [], acceptances: null, production: true, plainParts, hidden };
  const { gaps, notes } = brandFindings(facts).brand;
  return [gaps.map(({ text }) => text), notes.filter((note) => note.includes(file))];
}

test('risks contradict a claim of no side effects until it is hidden', () => {
  const contradiction = `The claim ${sideEffectsClaim} and ${file} (risks) are shown together: one contradicts the other unless counsel has read both. An owner can hide the claim under “Claims”.`;
  expect(plainTalkLines(allParts)).toEqual([[], [contradiction]]);
  expect(plainTalkLines(allParts, [sideEffectsClaim])).toEqual([[], []]);
});

test('a claim of no side effects without a word on risks is open until it is hidden', () => {
  const silence = `The site claims that there are no side effects, and ${file} doesn't say what can go wrong (risks).`;
  const unset = `Not set in ${file}, so not shown: risks.`;
  expect(plainTalkLines(withoutRisks)).toEqual([[silence], [unset]]);
  expect(plainTalkLines(withoutRisks, [sideEffectsClaim])).toEqual([[], [unset]]);
});

test('a study that leaves a required fact open is named once, with what it lacks', () => {
  const known = { design: 'Open', measuredBy: 'Nurses', funding: 'Us', limits: 'Much' };
  const published: Study = { ...protocolStudy, ...known, title: 'One' };
  const open: Study = { ...published, title: 'Two', funding: ' ', limits: null };
  const of = (study: Study, id: string): Claim => ({ ...unproven, id, study });
  const { notes } = brandFindings({
    claims: [of(published, 'one'), of(open, 'two'), of(open, 'three')],
    acceptances: null,
    production: false,
  }).brand;
  expect(notes.filter((note) => note.startsWith('Study notes'))).toEqual([
    `Study notes say “${studyTexts.notPublished}”: Two doesn't name its funding, limits.`,
  ]);
});
