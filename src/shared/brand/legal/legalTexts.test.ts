import { expect, test } from 'vitest';
import { longDate } from '#shared/formats/writing.ts';
import type { LegalText } from '#shared/pages/legalText.ts';
import { meets } from '#test/support/meets.ts';
import { consumerHealthDataId, privacyPolicy } from './privacy.ts';
import { brand } from '../brand.ts';
import { advertisingId } from '../consent.ts';
import { refundPolicy } from './refunds.ts';
import { termsAndConditions } from './terms.ts';

const contacts = {
  email: 'care@brand.example',
  phone: '(555) 555-0100',
  phoneHref: 'tel:+15555550100',
  postalAddress: '1 Plain Street, Reno, NV 89501',
  arbitrationPlace: 'Reno, Nevada',
};
const documents: [string, LegalText][] = [
  ['privacy', privacyPolicy(contacts)],
  ['terms', termsAndConditions(contacts)],
  ['refunds', refundPolicy(contacts, '2026-03-05')],
];

test('privacy has 8 sections and the notices on advertising and consumer health data', () => {
  meets('P2.policy.01');
  const { sections } = privacyPolicy(contacts);
  expect(sections).toHaveLength(8);
  expect(sections.flatMap(({ parts }) => parts ?? []).map(({ id }) => id)).toEqual([
    advertisingId,
    consumerHealthDataId,
  ]);
});

test('terms have 10 sections, their date and the configured place of arbitration', () => {
  meets('D.copy.16 P2.policy.11 P2.policy.13');
  const text = termsAndConditions(contacts);
  expect(text.sections).toHaveLength(10);
  expect(text.lastUpdated).toMatch(/^[A-Z][a-z]+ 20\d\d$/);
  expect(JSON.stringify(text.sections[8])).toContain(contacts.arbitrationPlace);
});

test('refunds have the date of the server and name the brand', () => {
  const text = refundPolicy(contacts, '2026-03-05');
  expect(text.lastUpdated).toBe('March 5, 2026');
  expect(JSON.stringify(text)).toContain(brand.plainName);
});

test.each(documents)(
  '%s shows the contacts, numbers its sections and repeats no anchor',
  (_, { sections }) => {
    expect(sections.flatMap(({ blocks }) => blocks)).toContainEqual({ contacts });
    expect(sections.map(({ heading }) => heading.split('.')[0])).toEqual(
      sections.map((_section, index) => String(index + 1)),
    );
    const ids = sections.flatMap(({ id, parts }) => [id, ...(parts ?? []).map((part) => part.id)]);
    expect(new Set(ids).size).toBe(ids.length);
  },
);

test('no document contains a placeholder', () => {
  expect(JSON.stringify(documents)).not.toMatch(/\[[A-Z]|TBD|lorem|\{\{|undefined/i);
});

test.each([
  ['2026-01-01', 'January 1, 2026'],
  ['2028-02-29', 'February 29, 2028'],
  ['2026-12-31', 'December 31, 2026'],
])('%s reads %s', (iso, long) => {
  expect(longDate(iso)).toBe(long);
});
