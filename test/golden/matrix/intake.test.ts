import { expect, test } from 'vitest';
import { createLeadLimits } from '#server/features/submissions/submissionLimits.ts';
import { releaseOverLimit } from '#server/features/leads/intake/releaseOverLimit.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import { formToken } from '#test/support/formToken.ts';
import { meets } from '#test/support/meets.ts';
import { getToken } from '#test/support/staff.ts';
import type { TestApp } from '#test/support/testApp.ts';
import { endRateLimits } from './logicalTables.ts';
import { anchorage, goldenFile, type Matrix, openMatrix, person } from './matrixApp.ts';

const plainForm = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
const landing = () => ({ form: 'landing' as const, token: formToken('landing') });
const dayMs = 86_400_000;

async function postForm(app: TestApp, fields: LeadCreateInput): Promise<number> {
  const { first_name, last_name, email, phone, zip_code, form, token } = fields;
  const typed = { first_name, last_name, email, phone, zip_code, acceptance_consent: 'on' };
  const hidden = { ...(form === undefined ? {} : { form }), ...(typeof token === 'string' ? { token } : {}) };
  const body = new URLSearchParams({ ...typed, ...hidden }).toString();
  return (await app.post('/api/leads', body, plainForm)).status;
}

function postLead(at: Matrix, body: object, headers: Record<string, string> = {}): Promise<unknown> {
  return at.rest('POST', '/api/leads', body, headers);
}

test('a matched lead by each transport', async () => {
  meets('P3.lead.16 P7.call.18 P7.call.19 D.leads.01 D.abuse.15 D.conformity.02');
  await using at = await openMatrix();
  await at.addProvider();
  await at.record('REST with a form token', () => postLead(at, person(1, landing())));
  await at.record('REST without a token', () => postLead(at, person(2)));
  const script = await getToken(at.app, ['leads:write']);
  await at.record('REST with an API token', () => postLead(at, person(3), script));
  const attribution = { first: { gclid: 'click' }, last: {} };
  await at.record('tRPC with attribution', () =>
    at.call('leads.create', person(4, { ...landing(), attribution }), { origin: at.app.url }),
  );
  await at.record('plain form', () => postForm(at.app, person(5, landing())));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('intake-transports'));
});

test('a lead that is unmatched, on a provider’s host, or refused', async () => {
  meets('D.leads.04 D.leads.60');
  await using at = await openMatrix();
  const near = await at.addProvider();
  const own = await at.addProvider({ domain: 'tenant.example.com' });
  await at.record('no provider within the radius', () =>
    postLead(at, person(1, { ...landing(), zip_code: anchorage })),
  );
  const tenant = at.app.as('tenant.example.com');
  await at.record('on a provider’s own host', async () => {
    const body = person(2, { form: 'microsite', token: formToken('microsite'), zip_code: anchorage });
    return (await tenant.post('/api/leads', body)).status;
  });
  await at.record('for a requested provider', () =>
    at.rest(
      'POST',
      `/api/leads?providerId=${near}`,
      person(3, { form: 'microsite', token: formToken('microsite') }),
    ),
  );
  await at.record('for an unknown provider', () =>
    at.rest('POST', `/api/leads?providerId=${own + 1000}`, person(4, landing())),
  );
  await at.record('invalid', () => postLead(at, person(5, { email: 'nobody' })));
  await at.record('invalid API token', () => postLead(at, person(6), { authorization: 'Bearer wrong' }));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('intake-unmatched'));
});

test('repeats of a person within and after a day', async () => {
  await using at = await openMatrix();
  await at.addProvider();
  const again = (overrides: object) => postLead(at, { ...person(1, landing()), ...overrides });
  await at.record('the first lead', () => again({}));
  await at.record('the same contact details', () => again({ first_name: 'Patricia' }));
  await at.record('the same e-mail address, another phone', () => again({ phone: '(303) 555-0190' }));
  await at.record('the same phone, another e-mail address', () => again({ email: 'other@example.com' }));
  await at.advance(2 * dayMs);
  await at.record('the same contact details two days later, by a script', () =>
    postLead(at, { ...person(1), first_name: 'Patrick' }),
  );
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('intake-repeats'));
});

test('a lead that is quarantined for each reason', async () => {
  await using at = await openMatrix();
  await at.addProvider();
  await at.record('honeypot', () =>
    postLead(at, { ...person(1, landing()), website: 'https://spam.example' }),
  );
  await at.record('foreign origin', () =>
    postLead(at, person(2, landing()), { origin: 'https://elsewhere.example' }),
  );
  await at.record('forged token', () => postLead(at, person(3, { form: 'landing', token: 'forged' })));
  const { formTokens } = at.app.services.submissions;
  await at.record('early token', () =>
    postLead(at, person(4, { form: 'landing', token: formTokens.issue('landing') })),
  );
  const old = formToken('landing');
  await at.advance(2 * dayMs);
  await at.record('expired token', () => postLead(at, person(5, { form: 'landing', token: old })));
  await at.record('plain form without a token', () => postForm(at.app, person(6, { form: 'landing' })));
  await at.record('a repeat of a quarantined lead', () => postLead(at, person(4)));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('intake-quarantined'));
});

test('a submission with an idempotency key, repeated', async () => {
  await using at = await openMatrix();
  await at.addProvider();
  const key = { 'idempotency-key': 'one-key' };
  await at.record('the first submission', () => postLead(at, person(1), key));
  await at.record('the same again', () => postLead(at, person(1), key));
  await at.record('the same key, other content', () => postLead(at, person(2), key));
  await at.record('the same content without a key, at once', () => postLead(at, person(1)));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('intake-idempotency'));
});

test('leads above the rate limit, and their release', async () => {
  await using at = await openMatrix({ env: { RATE_LIMIT_LEADS: '1/1m' } });
  await at.addProvider();
  const { services } = at.app;
  await at.record('within the limit', () => postLead(at, person(1, landing())));
  await at.record('above the limit', () => postLead(at, person(2, landing())));
  await at.record('above the limit, unmatched', () =>
    postLead(at, person(3, { ...landing(), zip_code: anchorage })),
  );
  await at.record('the worker, before the window ends', () => releaseOverLimit(services));
  await at.advance(61_000);
  await at.app.sql.unsafe(endRateLimits);
  const { secretKeys, rateLimitLeads: windows } = services.config;
  // A process remembers refusals by the real time, which doesn't pass here.
  const leads = createLeadLimits({ db: services.db, windows, secretKeys, log: services.log });
  await at.record('the worker, one of two may go', () =>
    releaseOverLimit({ ...services, limits: { ...services.limits, leads } }),
  );
  await at.record('deletion of one that waits', () => at.rest('DELETE', '/api/leads/3'));
  await at.record('its restoration', () => at.call('admin.leads.restore', { id: 3 }));
  await at.record('its release by staff', () => at.call('admin.leads.release', { id: 3 }));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('intake-over-limit'));
});
