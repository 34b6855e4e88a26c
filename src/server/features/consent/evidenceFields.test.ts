import { getTableColumns } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { consentRecords } from '#server/db/schema/index.ts';
import { meets } from '#test/support/meets.ts';
import { erasedValueHash } from './consentErasure.ts';
import {
  type ConsentFacts,
  consentRowHash,
  evidenceNames,
  hashVersion,
  personalNames,
} from './evidenceFields.ts';

const namesOfVersion1 =
  'acceptedAt channels checked email firstName formKey formSha256 gpc host ip lastName leadId msFromRender pageUrl phone referrerHost retainUntil sellerName sellerProviderId textId textKnown textSha256 textShown textVersion userAgent uuid';
const namesOfVersion2 =
  'acceptedAt channels checked email fetchSite firstName formKey formSha256 gpc hashVersion host ip lastName leadId leadPublicId msFromRender origin pageUrl phone referrerHost retainUntil sellerName sellerProviderId textId textKnown textSha256 textShown textVersion userAgent uuid';

const namesOfVersion3 =
  'acceptedAt channels checked clientClock email fetchSite firstName formKey formSha256 formVersion gpc hashVersion host ip lastName leadId leadPublicId msFromRender origin pageUrl phone prechecked purpose referrerHost retainUntil sellerName sellerProviderId textId textKnown textSha256 textShown textVersion userAgent uuid';
const namesOfVersion4 = namesOfVersion3.replace('acceptedAt', 'acceptedAt answers');

const row: ConsentFacts = {
  uuid: '00000000-0000-4000-8000-000000000001',
  leadId: 7,
  formKey: 'landing',
  textId: 'provider-contact',
  textVersion: 1,
  textShown: 'I agree to “be contacted”.',
  textSha256: 'a'.repeat(64),
  textKnown: true,
  checked: true,
  channels: ['call', 'email'],
  sellerProviderId: null,
  sellerName: null,
  firstName: 'Ivo',
  lastName: 'Dunmere',
  email: 'ivo.dunmere@example.com',
  phone: '(303) 555-0142',
  acceptedAt: new Date('2026-06-01T12:00:00.123Z'),
  ip: '2001:DB8:0:0:0:0:0:1',
  userAgent: 'Test/1.0',
  pageUrl: 'http://localhost/',
  host: 'localhost',
  referrerHost: null,
  formSha256: 'b'.repeat(64),
  msFromRender: 4321,
  gpc: false,
  retainUntil: new Date('2031-06-01T12:00:00.123Z'),
  hashVersion: 4,
  leadPublicId: '00000000-0000-4000-8000-000000000002',
  origin: 'http://localhost',
  fetchSite: 'same-origin',
  formVersion: 1,
  purpose: 'Contact by a provider',
  clientClock: new Date('2026-06-01T11:59:58.456Z'),
  prechecked: false,
  answers: '[{"id":"best_time","question":"Best time to call","answer":"Evening"}]',
};

test('the names that enter a hash are frozen for each hash version', () => {
  meets('D.abuse.43');
  expect(evidenceNames).toEqual({
    1: namesOfVersion1.split(' '),
    2: namesOfVersion2.split(' '),
    3: namesOfVersion3.split(' '),
    4: namesOfVersion4.split(' '),
  });
});

test.each([
  [1, '14515468420f84efb227f45140e0f0a7b4b325e286d87dfa28a5a9faac785f1f'],
  [2, '393c9ef07ff7a6b3e667a07f1acc438fceedd9a4582c1287c830042c97ecd4b7'],
  [3, 'e78145492e72d2f965b8b2cebe2752b23882f401c4bd468e6aa5f106208aec72'],
  [4, 'b7f689fc7cc155b3b4e8ed97cf3aeb3c9639a146d3714108b44e595a82d732f9'],
  // An unknown version 5 is hashed like the newest one, with its own number.
  [5, '22cad6da455f6103fe38094b8f9a14c907867b417a6135b3f49a16ec6ce1d936'],
])('a known row of hash version %i has its known hash', (version, hash) => {
  meets('D.abuse.43');
  expect(consentRowHash({ ...row, hashVersion: version })).toBe(hash);
});

test('the order of a row’s properties and extra properties do not change its hash', () => {
  const { uuid, ...others } = row;
  const reordered = { notEvidence: 'x', ...others, uuid };
  expect(Object.keys(reordered)).not.toEqual(Object.keys(row));
  expect(consentRowHash(reordered)).toBe(consentRowHash(row));
});

test('the newest hash version reads every column except the id and the hash', () => {
  meets('D.leads.42');
  const read = new Set<unknown>();
  const watched = new Proxy(row, {
    get(target, property): unknown {
      read.add(property);
      return Reflect.get(target, property);
    },
  });
  expect(watched.hashVersion).toBe(hashVersion);
  consentRowHash(watched);
  const columns = Object.keys(getTableColumns(consentRecords));
  const covered = columns.filter((column) => !['id', 'rowHash'].includes(column));
  expect(covered.length).toBe(columns.length - 2);
  expect(read).toEqual(new Set<unknown>(covered));
});

test('the names that enter the hash of an erased value are frozen', () => {
  const names =
    'first_name last_name email phone ip user_agent page_url referrer_host origin text_shown answers';
  expect(personalNames).toEqual(names.split(' '));
  expect(erasedValueHash('0'.repeat(32), 'first_name', 'Ivo')).toBe(
    'e96db6408f60c34814210d4ad7f9870e4e1faa6a322ad1f480d0cd4ea2fa5e72',
  );
});
