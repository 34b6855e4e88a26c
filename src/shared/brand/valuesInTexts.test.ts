import { expect, test } from 'vitest';
import { leadFormTexts } from './leadForm.ts';
import { sortedText } from './map.ts';
import { matchPreviewTexts } from './matchPreview.ts';

test('texts name the provider if it is known, and print no placeholder if it is not', () => {
  expect(leadFormTexts.alreadySent('Elm Clinic')).toContain('Elm Clinic');
  expect(leadFormTexts.alreadySent(null)).not.toMatch(/null|undefined| {2}/);
  expect(sortedText('ZIP 80202', { name: 'Elm Clinic', miles: 3 })).toMatch(/ZIP 80202.*Elm Clinic.*3/);
  expect(sortedText('ZIP 80202', null)).not.toMatch(/null|undefined| {2}/);
});

test('the form promises office hours only of a provider whose hours are known', () => {
  const { caller } = leadFormTexts;
  const clock = '2:14 PM Mountain';
  const opening = { isOpen: false, until: 'Monday, 9:00 AM' };
  const without = caller({ clock, opening: null });
  for (const text of [caller({ clock: null, opening: null }), without])
    expect(text).not.toMatch(/null|undefined|9:00/);
  expect(without).toContain(clock);
  const closed = caller({ clock, opening });
  expect(closed).toContain(opening.until);
  const open = caller({ clock, opening: { isOpen: true, until: null } });
  expect(open).not.toMatch(/null|undefined/);
  expect(new Set([without, closed, open]).size).toBe(3);
});

test('every text of the match preview names the ZIP', () => {
  const { asking, found, none, unknown, change, reminder } = matchPreviewTexts;
  for (const text of [asking, found, none, unknown, change, reminder])
    expect(text('80202')).toContain('80202');
});

test('distances are in whole miles, with a singular and without zero', () => {
  const [none, one, many] = [0, 1, 1_234].map(matchPreviewTexts.distance);
  expect(none).not.toContain('0');
  expect(one).toMatch(/\b1\u00A0mile\b/);
  expect(many).toMatch(/\b1,234\u00A0miles\b/);
});
