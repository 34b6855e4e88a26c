import { expect, test, vi } from 'vitest';
import { purgeDeletedLeads } from '#server/features/leads/changes/purgeLeads.ts';
import { deliverOne } from '#test/support/outboxSetup.ts';
import { signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { crmEnvironment } from '#test/support/outboxSetup.ts';
import { startReceiver } from '#test/support/receiver.ts';
import { getToken } from '#test/support/staff.ts';
import { runSuppression } from '#scripts/suppression.ts';
import { boulder, goldenFile, type Matrix, openMatrix, person } from './matrixApp.ts';
import { linkForm } from '#test/support/linkForm.ts';

const plainForm = { 'content-type': 'application/x-www-form-urlencoded' };
const dayMs = 86_400_000;

async function getLink(at: Matrix, leadId: number): Promise<string> {
  return signWithdrawal(at.app.services.config.secretKeys, await at.publicIdOf(leadId));
}

async function open(at: Matrix, link: string): Promise<number> {
  const path = `/withdraw/${link}`;
  return (await at.app.post(path, linkForm(at.app.services, path), plainForm)).status;
}

async function withdraw(at: Matrix, leadId: number): Promise<number> {
  return open(at, await getLink(at, leadId));
}

async function unsubscribe(at: Matrix, leadId: number): Promise<number> {
  const path = `/api/unsubscribe?token=${encodeURIComponent(await getLink(at, leadId))}`;
  return (await at.app.post(path, 'List-Unsubscribe=One-Click', plainForm)).status;
}

async function deliverAll({ app, deliveryIds }: Matrix, leadId: number): Promise<void> {
  for (const id of await deliveryIds(leadId))
    await deliverOne(app.services, id, new AbortController().signal);
}

test('withdrawal by a link', async () => {
  await using receiver = await startReceiver();
  await using at = await openMatrix({ env: crmEnvironment(receiver) });
  await at.addProvider();
  const first = await at.addLead(1);
  await deliverAll(at, first);
  const repeat = await at.addLead(1, { phone: '(303) 555-0190' });
  await at.addLead(2, { phone: '(303) 555-0101' });
  await at.record('withdrawal on the page', () => withdraw(at, first));
  await at.record('the same again', () => withdraw(at, first));
  await at.record('by another lead of the same person', () => unsubscribe(at, repeat));
  const [notice] = (await at.deliveryIds(first, 'provider-email')).slice(-1);
  await at.record('the provider is notified', () =>
    deliverOne(at.app.services, notice ?? '', new AbortController().signal),
  );
  await at.record('a new lead with the address', () => at.addLead(1, { first_name: 'Patricia' }));
  const newest = (await at.deliveryIds(4, 'provider-email'))[0] ?? '';
  await at.record('the worker’s attempt about it', () =>
    deliverOne(at.app.services, newest, new AbortController().signal),
  );
  await at.record('a new lead with only the phone', () => at.addLead(3, { phone: '(303) 555-0101' }));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('people-withdrawal'));
});

test('one-click withdrawal, of deleted, quarantined and purged leads', async () => {
  await using at = await openMatrix();
  await at.addProvider();
  const [plain, quarantined, deleted] = [
    await at.addLead(1),
    await at.addLead(2, { token: 'forged' }),
    await at.addLead(3),
  ];
  await at.rest('DELETE', `/api/leads/${deleted}`);
  await at.record('one-click', () => unsubscribe(at, plain));
  await at.record('of a quarantined lead', () => unsubscribe(at, quarantined));
  await at.record('of a deleted lead', () => unsubscribe(at, deleted));
  await at.record('with a forged link', () => at.rest('POST', '/api/unsubscribe?token=forged', {}, {}));
  await at.record('restoration of the deleted lead', () => at.call('admin.leads.restore', { id: deleted }));
  const purged = await at.addLead(4);
  const link = await getLink(at, purged);
  await at.rest('DELETE', `/api/leads/${purged}`);
  await at.advance(31 * dayMs);
  const { db, now } = at.app.services;
  expect(await purgeDeletedLeads(db, now())).toBe(1);
  await at.record('on the page, of a purged lead', () => open(at, link));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('people-one-click'));
});

test('suppression by staff, and its lifting', async () => {
  await using at = await openMatrix();
  await at.addProvider();
  const lead = await at.addLead(1);
  await at.addLead(2, { phone: '(303) 555-0101' });
  const lift = (kind: string, headers = at.owner) =>
    at.rest('POST', `/api/leads/${lead}/lift-suppression`, { kind, reason: 'They asked for it.' }, headers);
  await at.record('lifting of what isn’t listed', () => lift('email'));
  await at.record('do not contact', () => at.call('admin.suppressions.add', { id: lead }));
  await at.record('do not contact, again', () => at.call('admin.suppressions.add', { id: lead }));
  await at.record('retry of a suppressed e-mail', () => at.rest('POST', `/api/leads/${lead}/retry-email`));
  await at.record('lifting by a manager', () => lift('email', at.manager));
  await at.record('lifting of the e-mail address', () => lift('email'));
  using printed = vi.spyOn(console, 'log').mockReturnValue();
  await at.record('lifting of the phone number by the command', () =>
    runSuppression({ url: at.app.database.url, secretKeys: at.app.services.config.secretKeys }, [
      'lift',
      '--phone',
      '(303) 555-0101',
      '--reason',
      'They asked for it.',
    ]),
  );
  expect(printed).toHaveBeenCalledOnce();
  await at.record('retry of the e-mail after that', () => at.rest('POST', `/api/leads/${lead}/retry-email`));
  await at.advance(dayMs);
  await at.record('do not contact, once more', () => at.call('admin.suppressions.add', { id: lead }));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('people-suppression'));
});

test('tasks about a shared phone', async () => {
  await using at = await openMatrix();
  await at.addProvider();
  const withdrawn = await at.addLead(1);
  const phone = '(303) 555-0101';
  await at.addLead(2, { phone });
  await at.addLead(3, { phone });
  await at.record('withdrawal of one of three', () => withdraw(at, withdrawn));
  const complete = (id: number, decision: string) =>
    at.rest('POST', `/api/tasks/${id}/complete`, { decision });
  await at.record('keep serving', () => complete(1, 'keep-serving'));
  await at.record('keep serving, again', () => complete(1, 'keep-serving'));
  await at.record('a repeat of the one that is kept', () => at.addLead(2, { phone, first_name: 'Patricia' }));
  await at.record('a new lead with the phone', () => at.addLead(4, { phone }));
  await at.record('stop the phone', () => complete(3, 'stop-phone'));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('people-tasks'));
});

test('erasure of a person', async () => {
  await using receiver = await startReceiver();
  await using at = await openMatrix({ env: crmEnvironment(receiver) });
  await at.addProvider();
  await at.addProvider({ zipCode: boulder });
  const attribution = { first: { gclid: 'click' }, last: {} };
  const first = await at.addLead(1, { attribution });
  await deliverAll(at, first);
  const [repeat, sharing, other] = [
    await at.addLead(1, { phone: '(303) 555-0190' }),
    await at.addLead(2, { phone: '(303) 555-0101' }),
    await at.addLead(3),
  ];
  await at.rest('POST', `/api/leads/${first}/outcome`, { outcome: 'reached' });
  await at.rest('DELETE', `/api/leads/${repeat}`);
  const oldLink = await getLink(at, first);
  const erase = (leadId: number, samePhone: number[] = []) =>
    at.call(
      'admin.personalData.erase',
      { leadId, samePhone, confirmation: String(leadId), reason: 'asked' },
      at.owner,
    );
  await at.record(
    'a person’s data is exported',
    async () => (await at.app.get(`/api/persons/${first}.json`, at.owner)).status,
  );
  await at.record('erasure, one of its leads deleted', () => erase(first));
  await at.record('the same again', () => erase(first));
  await at.record('attempts to tell of it', () => deliverAll(at, first));
  await at.record('restoration of an erased lead', () => at.call('admin.leads.restore', { id: repeat }));
  await at.record('withdrawal by an erased lead’s old link', () => open(at, oldLink));
  await at.record('erasure of an undelivered lead with the same phone', () => erase(sharing));
  await at.record('a lead of the erased person', () => at.rest('POST', '/api/leads', person(1), {}));
  await withdraw(at, other);
  await at.record('erasure of somebody who has withdrawn', () => erase(other));
  const quarantined = await at.addLead(4, { token: 'forged' });
  await at.record('erasure of a quarantined lead', () => erase(quarantined));
  const script = await getToken(at.app, ['leads:write']);
  await at.record('erasure by a script', () =>
    at.call(
      'admin.personalData.erase',
      { leadId: other, confirmation: String(other), reason: 'asked' },
      script,
    ),
  );
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('people-erasure'));
});
