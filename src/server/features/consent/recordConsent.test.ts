import { expect, test } from 'vitest';
import type { ConsentText } from '#shared/brand/consentTexts.ts';
import { registeredText } from './recordConsent.ts';

const wide: Pick<ConsentText, 'channels' | 'purpose'> = {
  channels: ['call', 'email', 'sms'],
  purpose: 'Contact',
};
const texts: ConsentText[] = [
  { ...wide, id: 'contact', version: 1, text: 'You may call me.', forms: [] },
  { ...wide, id: 'contact', version: 2, text: 'You may call  or text me.', forms: ['quiz'] },
  { ...wide, id: 'contact', version: 3, text: 'A clinic may call me.', forms: ['landing'] },
  { ...wide, id: 'news', version: 1, channels: ['email'], text: 'Send me news.', forms: ['find'] },
  { ...wide, id: 'old', version: 1, text: 'Anyone may call me.', forms: [] },
];

test.each([
  ['landing', undefined, 3],
  ['landing', 'A clinic may call me.', 3],
  ['landing', ' A clinic\nmay  call me. ', 3],
  ['landing', 'You may call or text me.', 2],
  ['landing', 'You may call me.', 1],
  ['quiz', 'You may call me.', 1],
  ['quiz', 'A clinic may call me.', null],
  ['landing', 'Send me news.', null],
  ['find', 'You may call or text me.', null],
  ['find', 'You may call me.', null],
  ['landing', 'Anyone may call me.', null],
  ['landing', 'a clinic may call me.', null],
  ['landing', '', null],
  ['microsite', 'A clinic may call me.', null],
  ['microsite', undefined, null],
] as const)('the form %s with the text %j has version %j of its own texts', (form, said, version) => {
  expect(registeredText(texts, form, said)?.version ?? null).toBe(version);
});
