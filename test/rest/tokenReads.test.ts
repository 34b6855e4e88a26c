import { expect, test } from 'vitest';
import { leadListOutput } from '#shared/admin/adminLeads.ts';
import { leadDetail } from '#shared/admin/leadDetail.ts';
import { leadOutcomeReports } from '#shared/admin/leadActions.ts';
import { deliveryListOutput } from '#shared/admin/adminDeliveries.ts';
import { tokenScopes } from '#shared/admin/staff.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';

const person = 'Test manager';

/** A lead that a manager assigned, noted an outcome of, sent again and suppressed. Its tasks are open. */
async function handledLead(app: TestApp): Promise<number> {
  const headers = { ...(await signedIn(app, 'manager')), 'content-type': 'application/json' };
  const { id: providerId } = await insertProvider(app.db);
  const { id } = (await app.post('/api/leads', leadInput(), { 'user-agent': 'Sample/1.0' })).json() as {
    id: number;
  };
  const assigned = await app.request('PATCH', `/api/leads/${id}/provider`, {
    headers,
    body: JSON.stringify({ providerId }),
  });
  expect(assigned.text).toContain(`Assigned by ${person}`);
  await app.post(`/api/leads/${id}/outcome`, { outcome: 'reached' }, headers);
  await app.post('/trpc/admin.suppressions.add', { id }, headers);
  await app.sql`update deliveries set requested_by = ${person} where lead_id = ${id}`;
  await app.sql`insert into staff_tasks (kind, lead_id) values ('reply-received', ${id})`;
  return id;
}

test('a token gets no names of staff, nor the address and browser of a consent', async () => {
  await using app = await testApp();
  const id = await handledLead(app);
  const script = await getToken(app, tokenScopes);
  const owner = await signedIn(app, 'owner');
  const read = async (path: string): Promise<unknown> => {
    const answer = await app.get(path, script);
    expect([path, answer.status, answer.text.includes(person)]).toEqual([path, 200, false]);
    expect([path, (await app.get(path, owner)).text.includes(person)]).toEqual([path, true]);
    return answer.json();
  };
  const { lead, consent, suppression, events } = leadDetail.parse(await read(`/api/leads/${id}`));
  expect(lead.match.reason).toMatch(/^Assigned, [\d,]+\.\d miles from the center of \d{5}\.$/);
  expect(consent).toMatchObject({ ip: null, userAgent: null, isSealed: expect.any(Boolean) });
  const shown = leadDetail.parse((await app.get(`/api/leads/${id}`, owner)).json());
  expect(shown.consent).toMatchObject({ ip: expect.any(String), userAgent: 'Sample/1.0' });
  expect(suppression.email?.by).toBe('Staff');
  expect(new Set(events.map(({ by }) => by))).toEqual(new Set(['Visitor', 'System', 'Staff']));
  expect(leadListOutput.parse(await read('/api/leads')).leads[0]?.match.reason).toBe(lead.match.reason);
  expect(leadOutcomeReports.parse(await read(`/api/leads/${id}/outcome`))).toMatchObject({
    outcome: 'reached',
    reports: [{ by: 'Staff', outcome: 'reached' }],
  });
  const [delivery] = deliveryListOutput.parse(await read('/api/deliveries')).deliveries;
  expect(delivery?.requestedBy).toBe('Staff');
  await read(`/api/deliveries/${delivery?.id}`);
  await read('/api/tasks');
});

test('the response to a change by a token has no names of staff', async () => {
  await using app = await testApp();
  const id = await handledLead(app);
  const headers = await getToken(app, ['leads:write']);
  await app.sql`update leads set match_reason = 'Assigned by Ann A. Other, Jr..', match_distance_miles = null`;
  await app.sql`update leads set deleted_at = now()`;
  for (const [path, body] of [
    [`/api/leads/${id}/restore`, {}],
    [`/api/leads/${id}/outcome`, { outcome: 'booked' }],
  ] as const) {
    const answer = await app.post(path, body, headers);
    expect([answer.status, answer.json()]).toMatchObject([200, { id, match: { reason: 'Assigned.' } }]);
  }
});
