import { expect, test } from 'vitest';
import { leadOutcomes } from '#shared/leadOutcomes.ts';
import { signText } from '../../signedText.ts';
import { readOutcome, signOutcome } from './outcomeToken.ts';

const keys = ['outcome-key-outcome-key-outcome-01'];

test.each(leadOutcomes)('a link that says %s is read as that, of its lead and clinic', (outcome) => {
  const said = { leadId: 12, providerId: 7, outcome };
  const piece = signOutcome(keys, said);
  expect(encodeURIComponent(piece)).toBe(piece);
  expect(readOutcome(keys, piece)).toEqual(said);
});

test('what was signed for something else, or says nothing known, is nothing', () => {
  const piece = signOutcome(keys, { leadId: 12, providerId: 7, outcome: 'booked' });
  for (const wrong of [
    piece.replace('12_7', '13_7'),
    piece.replace('booked', 'reached'),
    signText(keys, 'withdraw', '12_7_booked'),
    signText(keys, 'outcome', '12_7_sold'),
    signText(keys, 'outcome', '12_booked'),
    '',
  ])
    expect([wrong, readOutcome(keys, wrong)]).toEqual([wrong, null]);
});
