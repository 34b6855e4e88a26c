import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { answerUndoSeconds } from '#shared/applications/adminApplications.ts';
import { mail as copy } from '#shared/brand/mail.ts';
import { confirmAddress as screen } from '#shared/brand/application.ts';
import { providers } from '#server/db/schema/index.ts';
import { type ApplicationMail, setUpApplications } from '#test/support/applicationMail.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { pressLink } from '#test/support/linkForm.ts';
import { signedIn } from '#test/support/staff.ts';
import type { TestApp } from '#test/support/testApp.ts';
import { mailAnswers } from './answerMail.ts';
import { mailReceipts } from './applicationMail.ts';

interface Staff {
  /** The status and body of a staff member's call. */
  call: (
    procedure: string,
    input: object,
  ) => Promise<{ status: number; data: Record<string, unknown>; error: string }>;
}

async function staffOf(app: TestApp): Promise<Staff> {
  const headers = await signedIn(app);
  return {
    call: async (procedure, input) => {
      const { status, text } = await app.post(`/trpc/admin.${procedure}`, input, headers);
      const body: { result?: { data: Record<string, unknown> }; error?: { message: string } } =
        JSON.parse(text);
      return { status, data: body.result?.data ?? {}, error: body.error?.message ?? '' };
    },
  };
}

const undoOver = ({ sql }: TestApp) =>
  sql`update application_messages set next_attempt_at = now() - interval '1 second', created_at = now() - ${answerUndoSeconds + 1} * interval '1 second' where kind in ('confirm', 'decline') and state = 'waiting'`;

const actions = async ({ sql }: TestApp, subject: string): Promise<string[]> =>
  (
    await sql<{ action: string }[]>`
      select action from audit_log where subject_kind = ${subject} and action not like '%list%' order by id`
  ).map(({ action }) => action);

async function linkIn(given: ApplicationMail, address: string): Promise<string> {
  const text = (await given.receivedBy(address).at(-1)?.email)?.text ?? '';
  return /\/confirm-address\/\S+/.exec(text)?.[0] ?? '';
}

describe('an approval', () => {
  test('creates one inactive provider, however many people approve', async () => {
    await using given = await setUpApplications();
    const { app } = given;
    const typed = {
      practice_name: 'Juniper Street',
      contact_name: 'Kit Elmsworth',
      email: 'Kit@Practice.example',
    };
    const id = await given.apply({ ...typed, website: 'juniper.example', phone: '(303) 555-0142' });
    const one = await staffOf(app);
    const other = await staffOf(app);
    const done = await Promise.all([one, other, one].map(({ call }) => call('applications.approve', { id })));
    const made = new Set(done.map(({ data }) => data['providerId']));
    expect(made.size).toBe(1);
    expect(done.filter(({ data }) => data['isNew'] === true)).toHaveLength(1);
    expect(await app.db.select().from(providers)).toMatchObject([
      {
        id: [...made][0],
        wordpressId: null,
        name: 'Kit Elmsworth',
        practiceName: 'Juniper Street',
        email: 'Kit@Practice.example',
        phone: '(303) 555-0142',
        zipCode: '80202',
        website: 'https://juniper.example/',
        status: 'f',
        locationSource: 'zip',
      },
    ]);
    expect(await app.sql`select status from provider_applications`).toEqual([{ status: 'accepted' }]);
    expect([await actions(app, 'application'), await actions(app, 'provider')]).toEqual([
      ['application.approve'],
      ['provider.create'],
    ]);
  });

  test('sends a link after ten seconds; opening it changes nothing, its button confirms', async () => {
    await using given = await setUpApplications();
    const { app } = given;
    const email = 'kit@practice.example';
    const id = await given.apply({ email });
    const { call } = await staffOf(app);
    await call('applications.approve', { id });
    expect([await mailReceipts(app.services), await mailAnswers(app.services)]).toEqual([0, 0]);
    await undoOver(app);
    const sent = await Promise.all([mailAnswers(app.services), mailAnswers(app.services)]);
    expect(sent[0] + sent[1]).toBe(1);
    const path = await linkIn(given, email);
    const isConfirmed = async () =>
      (await app.db.select().from(providers)).map(({ emailConfirmedAt }) => emailConfirmedAt !== null);
    expect((await app.get(path)).text).toContain(screen.ask.title);
    await app.post(path, '', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(await isConfirmed()).toEqual([false]);
    expect((await pressLink(app, path)).status).toBe(303);
    expect(await isConfirmed()).toEqual([true]);
    const again = await app.get(path);
    expect([again.status, again.text]).toEqual([200, expect.stringContaining(screen.done.title)]);
    expect(await actions(app, 'provider')).toEqual(['provider.create', 'provider.confirm-address']);
    expect((await app.get(`${path}x`)).status).toBe(404);
    const { data } = await call('applications.sendConfirmation', { id });
    expect(data).toEqual({});
  });

  test('a link to a former address confirms nothing, and an old one neither', async () => {
    const clock = { ms: Date.now() };
    await using given = await setUpApplications({}, { now: () => new Date(clock.ms) });
    const { app } = given;
    const email = 'kit@practice.example';
    const id = await given.apply({ email });
    const { call } = await staffOf(app);
    const { data } = await call('applications.approve', { id });
    await undoOver(app);
    await mailAnswers(app.services);
    const path = await linkIn(given, email);
    await app.db.update(providers).set({ email: 'other@practice.example' });
    expect((await app.get(path)).status).toBe(404);
    await app.db.update(providers).set({ email });
    expect((await app.get(path)).status).toBe(200);
    clock.ms += 15 * 86_400_000;
    expect((await app.get(path)).status).toBe(404);
    expect(data['isNew']).toBe(true);
  });

  test('is taken back with its provider while its message waits, and not after', async () => {
    await using given = await setUpApplications();
    const { app } = given;
    const id = await given.apply();
    const { call } = await staffOf(app);
    await call('applications.approve', { id });
    expect((await call('applications.undo', { id, status: 'contacted' })).status).toBe(200);
    expect(await app.sql`select status, provider_id from provider_applications`).toEqual([
      { status: 'contacted', provider_id: null },
    ]);
    expect(await app.db.$count(providers)).toBe(0);
    await call('applications.approve', { id });
    await undoOver(app);
    await mailAnswers(app.services);
    expect(await call('applications.undo', { id, status: 'contacted' })).toMatchObject({
      status: 409,
      error: 'Already sent',
    });
    expect(await app.db.$count(providers)).toBe(1);
  });

  test('waits for the release of a quarantined application', async () => {
    await using given = await setUpApplications();
    const { app } = given;
    const id = await given.apply({ homepage: 'https://spam.example', token: 'forged' });
    const { call } = await staffOf(app);
    for (const decision of ['approve', 'decline'])
      expect((await call(`applications.${decision}`, { id })).status).toBe(409);
    await call('applications.release', { id });
    expect((await call('applications.approve', { id })).status).toBe(200);
    expect((await call('applications.approve', { id: 999_999 })).status).toBe(404);
  });
});

describe('a decline', () => {
  test('sends the brand’s answer once, after the time for Undo', async () => {
    await using given = await setUpApplications();
    const { app } = given;
    const email = 'kit@practice.example';
    const id = await given.apply({ email });
    const { call } = await staffOf(app);
    await Promise.all([1, 2].map(() => call('applications.decline', { id })));
    expect(await mailAnswers(app.services)).toBe(0);
    await undoOver(app);
    expect(await mailAnswers(app.services)).toBe(1);
    await call('applications.decline', { id });
    await given.hourLater();
    expect(await mailAnswers(app.services)).toBe(0);
    const received = given.receivedBy(email);
    expect(received).toHaveLength(1);
    const message = await received[0]?.email;
    expect([message?.subject, message?.text]).toEqual([
      copy.applicationDeclined.subject,
      expect.stringContaining(copy.applicationDeclined.text),
    ]);
    expect(await actions(app, 'application')).toEqual(['application.decline']);
  });

  test('is taken back with its message, and made again', async () => {
    await using given = await setUpApplications();
    const { app } = given;
    const id = await given.apply({ email: 'kit@practice.example' });
    const { call } = await staffOf(app);
    await call('applications.decline', { id });
    await call('applications.undo', { id, status: 'new' });
    await undoOver(app);
    expect(await mailAnswers(app.services)).toBe(0);
    expect(await app.sql`select status from provider_applications`).toEqual([{ status: 'new' }]);
    await call('applications.decline', { id });
    await undoOver(app);
    expect(await mailAnswers(app.services)).toBe(1);
  });
});

describe('the provider of an approval', () => {
  test('gets leads once staff activate it, and none after they deactivate it', async () => {
    await using given = await setUpApplications();
    const { app } = given;
    const id = await given.apply({ zip_code: '80202' });
    const { call } = await staffOf(app);
    const { data } = await call('applications.approve', { id });
    const lead = async () =>
      Object(JSON.parse((await app.post('/api/leads', leadInput({ zip_code: '80202' }))).text));
    expect(await lead()).not.toHaveProperty('providerId');
    expect((await call('providers.setActive', { id: data['providerId'], isActive: true })).status).toBe(200);
    expect(await lead()).toMatchObject({ providerId: data['providerId'] });
    await call('providers.setActive', { id: data['providerId'], isActive: false });
    expect(await lead()).not.toHaveProperty('providerId');
    expect(await actions(app, 'provider')).toEqual(['provider.create', 'provider.change', 'provider.change']);
  });

  test('isn’t activated with an unknown ZIP code, another’s domain or a source', async () => {
    await using given = await setUpApplications();
    const { app } = given;
    const { call } = await staffOf(app);
    const other = await insertProvider(app.db, { name: 'Amber Quay', domain: 'amber.example' });
    const refused = async (fields: object) => {
      const { id } = await insertProvider(app.db, {
        wordpressId: null,
        status: 'f',
        domain: null,
        ...fields,
      });
      const { status, error } = await call('providers.setActive', { id, isActive: true });
      return [status, error];
    };
    const noPlace = { zipCode: '00000', latitude: null, longitude: null };
    expect(await refused(noPlace)).toEqual([409, '“00000” isn’t a US ZIP code. Correct it first.']);
    expect(await refused({ domain: other.domain })).toEqual([
      409,
      expect.stringContaining('Amber Quay is active'),
    ]);
    expect(await refused({ wordpressId: 7001 })).toEqual([409, expect.stringContaining('provider sync')]);
    const active = await app.db.$count(providers, eq(providers.status, 't'));
    expect(active).toBe(1);
  });
});

describe('the drawer of an application', () => {
  test('has the distance to the next active clinic, and 0 for fewer than ten people', async () => {
    await using given = await setUpApplications();
    const { app } = given;
    const near = await insertProvider(app.db, {
      name: 'Near',
      practiceName: 'Amber Quay',
      zipCode: '80203',
      latitude: null,
      longitude: null,
    });
    await insertProvider(app.db, { zipCode: '90012', latitude: null, longitude: null });
    await app.knows(near);
    const id = await given.apply({ zip_code: '80202' });
    const unknown = await given.apply({ zip_code: '00000' });
    const headers = await signedIn(app, 'viewer');
    const read = async (number: number) => {
      const input = encodeURIComponent(JSON.stringify({ id: number }));
      const { text } = await app.get(`/trpc/admin.applications.get?input=${input}`, headers);
      return Object(JSON.parse(text)).result.data;
    };
    expect(await read(id)).toMatchObject({
      isZipKnown: true,
      nearest: { name: 'Near', miles: expect.closeTo(1, 0) },
      people: 0,
      answer: null,
      provider: null,
    });
    expect(await read(unknown)).toMatchObject({ isZipKnown: false, nearest: null, people: null });
  });
});
