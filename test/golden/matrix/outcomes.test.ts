import { expect, test } from 'vitest';
import { linkEnd, signOutcome } from '#server/features/mail/linkTokens.ts';
import { rematchUnmatched } from '#server/features/leads/changes/rematch.ts';
import { takeDueReturns } from '#server/features/outcomes/recordOutcome.ts';
import { type LeadOutcome, returnDelayMs } from '#shared/leads/leadOutcomes.ts';
import { anchorage, boulder, goldenFile, type Matrix, openMatrix } from './matrixApp.ts';
import { linkForm } from '#test/support/linkForm.ts';

const plainForm = { 'content-type': 'application/x-www-form-urlencoded' };
const dayMs = 86_400_000;

interface Link {
  leadId: number;
  providerId: number;
  outcome: LeadOutcome;
}

/** Presses the button on the page behind a provider's link, more than a minute after the one before. */
async function press(at: Matrix, { leadId, providerId, outcome }: Link): Promise<number> {
  await at.advance(61_000);
  const { config, now } = at.app.services;
  const publicId = await at.publicIdOf(leadId);
  const token = signOutcome(config.secretKeys, { publicId, providerId, outcome, endsAt: linkEnd(now()) });
  const path = `/outcome/${token}`;
  const { status } = await at.app.post(
    path,
    linkForm(at.app.services, path, `outcome=${outcome}`),
    plainForm,
  );
  return status;
}

/** Lets a return take effect. */
async function takeReturn(at: Matrix): Promise<unknown> {
  await at.advance(returnDelayMs);
  return takeDueReturns(at.app.services);
}

test('outcomes by a provider’s link', async () => {
  await using at = await openMatrix();
  const providerId = await at.addProvider();
  const leadId = await at.addLead(1);
  for (const outcome of ['reached', 'booked', 'not-reachable', 'duplicate'] as const)
    await at.record(outcome, () => press(at, { leadId, providerId, outcome }));
  await at.record('duplicate once more', () => press(at, { leadId, providerId, outcome: 'duplicate' }));
  await at.record('wrong area, and nobody else is near', () =>
    press(at, { leadId, providerId, outcome: 'wrong-area' }),
  );
  await at.record('the worker, five minutes later', () => takeReturn(at));
  await at.record('reached, of a lead that was returned', () =>
    press(at, { leadId, providerId, outcome: 'reached' }),
  );
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('outcomes-link'));
});

test('a lead that is returned goes to the next provider, and remembers its outcomes', async () => {
  await using at = await openMatrix();
  const first = await at.addProvider();
  const second = await at.addProvider({ zipCode: boulder });
  const leadId = await at.addLead(1);
  const assign = (providerId: number) => at.rest('PATCH', `/api/leads/${leadId}/provider`, { providerId });
  await at.record('reached', () => press(at, { leadId, providerId: first, outcome: 'reached' }));
  await at.record('wrong area', () => press(at, { leadId, providerId: first, outcome: 'wrong-area' }));
  await at.record('the worker, five minutes later', () => takeReturn(at));
  await at.record('booked, by the next provider', () =>
    press(at, { leadId, providerId: second, outcome: 'booked' }),
  );
  await at.record('assigned to the provider that returned it', () => assign(first));
  await at.record('assigned to the one that booked it', () => assign(second));
  await at.record('wrong area, and the other has returned it before', () =>
    press(at, { leadId, providerId: second, outcome: 'wrong-area' }),
  );
  await at.record('the worker, five minutes later', () => takeReturn(at));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('outcomes-return'));
});

test('outcomes by staff', async () => {
  await using at = await openMatrix();
  await at.addProvider();
  await at.addProvider({ zipCode: boulder });
  const [matched, unmatched, quarantined, deleted] = [
    await at.addLead(1),
    await at.addLead(2, { zip_code: anchorage }),
    await at.addLead(3, { token: 'forged' }),
    await at.addLead(4),
  ];
  await at.rest('DELETE', `/api/leads/${deleted}`);
  const note = (id: number, outcome: LeadOutcome) => at.rest('POST', `/api/leads/${id}/outcome`, { outcome });
  await at.record('booked', () => note(matched, 'booked'));
  await at.record('booked again', () => note(matched, 'booked'));
  await at.record('wrong area', () => note(matched, 'wrong-area'));
  await at.record('of an unmatched lead', () => note(unmatched, 'reached'));
  await at.record('of a quarantined lead', () => note(quarantined, 'reached'));
  await at.record('wrong area of a quarantined lead', () => note(quarantined, 'wrong-area'));
  await at.record('of a deleted lead', () => note(deleted, 'reached'));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('outcomes-staff'));
});

test('unmatched leads are matched again when providers change', async () => {
  await using at = await openMatrix();
  const far = await at.addProvider({ zipCode: boulder, paused: true });
  const inactive = await at.addProvider({ status: 'f' });
  await at.addLead(1);
  await at.addLead(2);
  await at.addLead(3, { zip_code: anchorage });
  await at.addLead(4, { token: 'forged' });
  const { services } = at.app;
  const update = (change: object) => at.call('admin.providers.update', { id: far, ...change });
  await at.addLead(5);
  await at.call('admin.suppressions.add', { id: 5 });
  await at.record('the worker, when nothing was requested', () => rematchUnmatched(services));
  await at.record('a hue, of a paused provider', () => update({ themeHue: 20 }));
  await at.record('a radius, of a paused provider', () => update({ matchRadiusMiles: 5 }));
  await at.record('the pause ends', () => update({ paused: false }));
  await at.record('the worker, with a radius that is too small', () => rematchUnmatched(services));
  await at.record('a hue, of an active provider', () => update({ themeHue: 30 }));
  await at.record('a larger radius', () => update({ matchRadiusMiles: 60 }));
  await at.record('the worker gives the leads to the provider', () => rematchUnmatched(services));
  await at.record('the pause begins', () => update({ paused: true }));
  await at.record('an inactive provider’s radius', () =>
    at.call('admin.providers.update', { id: inactive, matchRadiusMiles: 80 }),
  );
  await at.record('a quarantined lead is released, matched with nobody', () =>
    at.call('admin.leads.release', { id: 4 }),
  );
  await at.record('the worker finds nobody', () => rematchUnmatched(services));
  await at.record('a lead without a provider is deleted', () => at.rest('DELETE', '/api/leads/3'));
  await at.record('and restored', () => at.call('admin.leads.restore', { id: 3 }));
  await at.advance(91 * dayMs);
  await update({ paused: false });
  await at.record('the worker, of leads that are too old', () => rematchUnmatched(services));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('outcomes-rematching'));
});
