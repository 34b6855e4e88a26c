import { expect, test } from 'vitest';
import { purgeDeletedLeads } from '#server/features/leads/changes/purgeLeads.ts';
import { getToken } from '#test/support/staff.ts';
import { meets } from '#test/support/meets.ts';
import { loseLeadEvents } from './logicalTables.ts';
import { anchorage, boulder, goldenFile, openMatrix } from './matrixApp.ts';

const dayMs = 86_400_000;

test('assignment of leads', async () => {
  meets('D.admin.59');
  await using at = await openMatrix();
  const first = await at.addProvider();
  const second = await at.addProvider({ zipCode: boulder });
  const inactive = await at.addProvider({ status: 'f' });
  const [matched, unmatched, quarantined] = [
    await at.addLead(1),
    await at.addLead(2, { zip_code: anchorage }),
    await at.addLead(3, { zip_code: anchorage, token: 'forged' }),
  ];
  const assign = (id: number, providerId: number) =>
    at.rest('PATCH', `/api/leads/${id}/provider`, { providerId });
  await at.record('of an unmatched lead', () => assign(unmatched, first));
  await at.record('to another provider', () => assign(matched, second));
  await at.record('to the provider that has it', () => assign(matched, second));
  await at.record('back to the first provider', () => assign(matched, first));
  await at.record('undone', () => at.call('admin.leads.undoAssign', { ids: [matched] }));
  await at.record('of a quarantined lead', () => assign(quarantined, first));
  await at.record('to an inactive provider', () => assign(matched, inactive));
  await at.record('of an unknown lead', () => assign(quarantined + 1000, first));
  const script = await getToken(at.app, ['leads:write']);
  await at.record('by an API token', () =>
    at.rest('PATCH', `/api/leads/${unmatched}/provider`, { providerId: second }, script),
  );
  await at.record('of several leads', () =>
    at.call('admin.leads.bulkAssign', { ids: [matched, unmatched, quarantined], providerId: second }),
  );
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('leads-assignment'));
});

test('deletion, restoration and purge of leads', async () => {
  await using at = await openMatrix();
  await at.addProvider();
  const [matched, unmatched, quarantined, kept] = [
    await at.addLead(1),
    await at.addLead(2, { zip_code: anchorage }),
    await at.addLead(3, { token: 'forged' }),
    await at.addLead(4),
  ];
  await at.record('deletion', () => at.rest('DELETE', `/api/leads/${matched}`));
  await at.record('deletion of a deleted lead', () => at.rest('DELETE', `/api/leads/${matched}`));
  await at.record('restoration', () => at.call('admin.leads.restore', { id: matched }));
  const ids = [matched, unmatched, quarantined];
  await at.record('deletion of several', () => at.call('admin.leads.bulkRemove', { ids }));
  await at.record('restoration of several', () => at.call('admin.leads.bulkRestore', { ids }));
  await at.record('deletion of a quarantined lead', () => at.rest('DELETE', `/api/leads/${quarantined}`));
  await at.record('release of a deleted lead', () => at.call('admin.leads.release', { id: quarantined }));
  await at.record('deletion of another', () => at.rest('DELETE', `/api/leads/${kept}`));
  const { db, now } = at.app.services;
  await at.record('purge before its time', () => purgeDeletedLeads(db, now()));
  await at.advance(31 * dayMs);
  await at.record('restoration after thirty days', () => at.call('admin.leads.restore', { id: kept }));
  await at.record('purge after thirty days', () => purgeDeletedLeads(db, now()));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('leads-deletion'));
});

test('release of quarantined leads', async () => {
  await using at = await openMatrix();
  await at.addProvider();
  const [forged, unmatched, honeypot] = [
    await at.addLead(1, { token: 'forged' }),
    await at.addLead(2, { token: 'forged', zip_code: anchorage }),
    await at.addLead(3, { website: 'https://spam.example' }),
  ];
  await at.record('of a lead with a forged token', () => at.call('admin.leads.release', { id: forged }));
  await at.record('of a lead that isn’t quarantined', () => at.call('admin.leads.release', { id: forged }));
  await at.record('of several', () => at.call('admin.leads.bulkRelease', { ids: [unmatched, honeypot] }));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('leads-release'));
});

test('reads that leave a line in the audit log', async () => {
  await using at = await openMatrix();
  await at.addProvider();
  const id = await at.addLead(1);
  const script = await getToken(at.app, ['leads:read']);
  const read = async (path: string, headers: Record<string, string>) =>
    (await at.app.get(path, headers)).status;
  const detail = `/trpc/admin.leads.get?input=${encodeURIComponent(JSON.stringify({ id }))}`;
  await at.record('a lead, by staff', () => read(detail, at.manager));
  await at.record('the same again', () => read(detail, at.manager));
  await at.record('the list, by staff', () => read('/api/leads', at.manager));
  await at.record('the list, by a script', () => read('/api/leads', script));
  await at.record('the tasks, by the same script', () => read('/api/tasks', script));
  await at.record('the leads as CSV', () => read('/api/leads.csv', at.manager));
  await at.record('the providers as CSV', () => read('/api/providers.csv', at.manager));
  await at.record('a person’s data', () => read(`/api/persons/${id}.json`, at.owner));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('leads-reads'));
});

test('the record differs when a write loses what it caused', async () => {
  const listChanges = async (isBroken: boolean): Promise<Record<string, unknown>> => {
    await using at = await openMatrix();
    const first = await at.addProvider();
    const second = await at.addProvider({ zipCode: boulder });
    const id = await at.addLead(1);
    expect(first).toBeLessThan(second);
    if (isBroken) await at.app.sql.unsafe(loseLeadEvents);
    const { changes } = await at.record('assignment', () =>
      at.rest('PATCH', `/api/leads/${id}/provider`, { providerId: second }),
    );
    return changes;
  };
  const [whole, broken] = [await listChanges(false), await listChanges(true)];
  expect(await listChanges(false)).toEqual(whole);
  expect(Object.keys(whole)).toContain('events');
  const { events: _, ...others } = whole;
  expect(broken).toEqual(others);
});
