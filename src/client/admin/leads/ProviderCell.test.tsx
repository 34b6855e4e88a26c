import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { meets } from '#test/support/meets.ts';
import { ProviderCell } from './LeadCells.tsx';

const lead: AdminLead = {
  ...{ id: 1, first_name: 'Ada', last_name: 'Reed', email: 'ada@mail.example', phone: '3035550142' },
  ...{ zip_code: '80202', provider_id: 7, provider: null, created_at: '2026-06-01T12:00:00.000Z' },
  ...{ updated_at: '2026-06-01T12:00:00.000Z', deleted_at: null },
  ...{ crm_sync_status: null, match: { method: 'manual', reason: 'test', miles: null } },
  ...{
    isRepeat: false,
    quarantineReason: null,
    filledHoneypot: false,
    outcome: null,
    followUpOn: null,
    crmDelivery: null,
    isErased: false,
  },
  ...{ providerDelivery: null, clinicNotReached: false },
  stage: {
    ...{ receivedAt: '2026-06-01T12:00:00.000Z', sentAt: null, reachedAt: null, bookedAt: null },
    ...{ isBroken: false, hasOutcome: false },
  },
};

test.each([
  [null, '>Provider #7<'],
  [{ name: 'Gable End', status: 't' }, '>Gable End<'],
] as const)('the provider %j reads %s', (provider, text) => {
  meets('P2.admin.24');
  const html = renderToStaticMarkup(
    <ProviderCell lead={{ ...lead, provider }} now={0} isBusy={false} actions={null} />,
  );
  expect(html).toContain(text);
});
