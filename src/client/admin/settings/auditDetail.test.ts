import { expect, test } from 'vitest';
import { instantText } from '#client/admin/kit/times.ts';
import { detailText } from './auditDetail.ts';

test.each<[object, string]>([
  [{ scopes: ['leads:read', 'sync:run'] }, 'scopes: leads:read, sync:run'],
  [
    { paused: true, matchRadiusMiles: null, mpxapi: 'set' },
    'paused: yes, match radius miles: none, CRM key: set',
  ],
  [{ miles: 24.323572351980314, before: { miles: 3.0886 } }, 'miles: 24.3 (was 3.1)'],
  [{ filter: { match: 'unmatched' } }, 'filter: (match: unmatched)'],
  [{ success: false, rows: 12, changed: [] }, 'success: no, rows: 12, changed: none'],
  [
    { providerId: 4, miles: null, reason: 'nearer', before: { providerId: null, miles: null } },
    'provider ID: 4 (was none), reason: nearer',
  ],
])('%j is written in words', (detail, text) => {
  expect(detailText({ ...detail })).toBe(text);
});

test('a provider is written by name, now and before', () => {
  const names = new Map([
    [4, 'Quay Clinic'],
    [7, 'Harbor Clinic'],
  ]);
  const detail = { providerId: 4, miles: 3, before: { providerId: 7, miles: 3 } };
  expect(detailText(detail, names)).toBe('provider: Quay Clinic (was Harbor Clinic)');
  expect(detailText({ providerId: null, before: { providerId: 7 } }, names)).toBe(
    'provider: none (was Harbor Clinic)',
  );
  expect(detailText({ providerId: 9 }, names)).toBe('provider ID: 9');
});

test('a time is written in the viewer’s time zone', () => {
  const at = '2026-06-01T05:30:00.000Z';
  expect(detailText({ quarantinedAt: at })).toBe(`quarantined at: ${instantText(at)}`);
});
