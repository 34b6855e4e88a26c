import { expect, test } from 'vitest';
import { detailText } from './auditDetail.ts';

test.each<[object, string]>([
  [{ scopes: ['leads:read', 'sync:run'] }, 'scopes: leads:read, sync:run'],
  [
    { paused: true, matchRadiusMiles: null, mpxapi: 'set' },
    'paused: yes, match radius miles: none, CRM key: set',
  ],
  [{ filter: { match: 'unmatched' } }, 'filter: (match: unmatched)'],
  [{ success: false, rows: 12, changed: [] }, 'success: no, rows: 12, changed: none'],
  [
    { providerId: 4, miles: null, reason: 'nearer', before: { providerId: null, miles: null } },
    'provider ID: 4 (was none), reason: nearer',
  ],
])('%j is written in words', (detail, text) => {
  expect(detailText({ ...detail })).toBe(text);
});
