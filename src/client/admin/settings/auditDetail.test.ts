import { expect, test } from 'vitest';
import { detailText } from './auditDetail.ts';

test.each<[object, string]>([
  [{ scopes: ['leads:read', 'sync:run'] }, 'scopes: leads:read, sync:run'],
  [
    { paused: true, matchRadiusMiles: null, mpxapi: 'set' },
    'paused: yes, match radius miles: none, CRM key: set',
  ],
  [{ success: false, rows: 12, changed: [] }, 'success: no, rows: 12, changed: none'],
  [
    { providerId: 4, miles: 1.5, before: { providerId: null, method: 'none' } },
    'provider ID: 4, miles: 1.5, before: (provider ID: none, method: none)',
  ],
])('%j is written in words', (detail, text) => {
  expect(detailText({ ...detail })).toBe(text);
});
