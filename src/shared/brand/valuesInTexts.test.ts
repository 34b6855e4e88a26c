import { expect, test } from 'vitest';
import { leadFormTexts } from './leadForm.ts';
import { sortedText } from './map.ts';
import { matchPreviewTexts } from './stepForms.ts';

test('texts name the provider if it is known, and print no placeholder if it is not', () => {
  expect(leadFormTexts.alreadySent('Elm Clinic')).toContain('Elm Clinic');
  expect(leadFormTexts.alreadySent(null)).not.toMatch(/null|undefined| {2}/);
  expect(sortedText('ZIP 80202', { name: 'Elm Clinic', miles: 3 })).toMatch(/ZIP 80202.*Elm Clinic.*3/);
  expect(sortedText('ZIP 80202', null)).not.toMatch(/null|undefined| {2}/);
});

test('every text of the match preview names the ZIP', () => {
  const { asking, found, none, unknown, change, reminder } = matchPreviewTexts;
  for (const text of [asking, found, none, unknown, change, reminder])
    expect(text('80202')).toContain('80202');
});

test('distances are in whole miles, with a singular and without zero', () => {
  const [none, one, many] = [0, 1, 1_234].map(matchPreviewTexts.distance);
  expect(none).not.toContain('0');
  expect(one).toMatch(/\b1 mile\b/);
  expect(many).toMatch(/\b1,234 miles\b/);
});
