import { randomBytes } from 'node:crypto';
import { desc, eq, sql } from 'drizzle-orm';
import { dataKeySeal } from '#server/security/dataKeys.ts';
import {
  consentErasures,
  consentRecords,
  consentSealQueue,
  consentSeals,
  dataKeys,
} from '#server/db/schema/index.ts';
import { consentRecord } from '#server/features/consent/recordConsent.ts';
import { erasureHash, eraseConsentRecords } from '#server/features/consent/consentErasure.ts';
import { sealHash, sha256, consentRowHash } from '#server/features/consent/evidenceFields.ts';
import { storeSnapshot } from '#server/features/consent/formSnapshots.ts';
import { erasePerson } from '#server/features/erasure/erasePerson.ts';
import { signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { sealText } from '#server/security/sealedText.ts';
import type { LeadCreateInput } from '#shared/leads/leads.ts';
import type { FormKey } from '#shared/leads/leadForms.ts';
import { leadCreateInput } from '#shared/submissions/leadInput.ts';
import { testCaller } from '#test/support/caller.ts';
import { testActor } from '#test/support/staffActions.ts';
import { sealAll, sealKey, tamper } from '#test/support/evidence.ts';
import { insertProvider } from '#test/support/factories.ts';
import { type Client, testApp, type TestApp } from '#test/support/testApp.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { type Chain, dumpEvidence } from './chain.ts';
import { linkForm } from '#test/support/linkForm.ts';

const [newSecret, oldSecret] = ['golden-new-key-golden-new-key-0002', testSecret];
const mainHost = 'main.example';
const tenantHost = 'amber-quay.example';
const formType = { 'content-type': 'application/x-www-form-urlencoded' };

function person(first: string, last: string, at: number) {
  return {
    first_name: first,
    last_name: last,
    email: `${first}.${last}@mail.example`.toLowerCase(),
    phone: `(303) 555-01${String(at).padStart(2, '0')}`,
    zip_code: '80202',
  };
}

/** Records and an erasure as they were before hash version 2 and before there were keys. */
async function insertVersion1(database: TestDb): Promise<void> {
  const { db } = database;
  const html = '<form data-lead-form="landing">“Reply STOP to opt out.” 🏥</form>';
  const snapshot = { html, sha256: sha256(html) };
  await storeSnapshot(db, snapshot);
  const people = [
    person('Adrian', 'Ashgrove', 1),
    person('Bram', 'Brightwater', 2),
    person('Cole', 'Dunmere', 3),
  ];
  for (const [at, fields] of people.entries()) {
    const acceptedAt = new Date(Date.UTC(2026, 4, 1, 12, at, 0, 7));
    const formShown = at === 1 ? 'api' : 'landing';
    const { rowHash: _, ...version2 } = consentRecord({
      caller: testCaller({ ip: `198.51.100.${at + 1}` }),
      submission: leadCreateInput.parse({ ...fields, acceptance_consent: true }),
      formShown,
      leadId: 9_001 + at,
      leadPublicId: crypto.randomUUID(),
      acceptedAt,
      seller: at === 0 ? { id: 41, label: 'Birch Hollow “Clinic”' } : null,
      formSha256: formShown === 'api' ? null : snapshot.sha256,
      msFromRender: formShown === 'api' ? null : 4_321,
    });
    const facts = { ...version2, hashVersion: 1, leadPublicId: null, origin: null, fetchSite: null };
    const [stored] = await db
      .insert(consentRecords)
      .values({ ...facts, rowHash: consentRowHash(facts) })
      .returning({ recordId: consentRecords.id });
    if (stored === undefined) throw new Error('the record was not stored');
    await db.insert(consentSealQueue).values(stored);
  }
  await sealAll(database);
  await eraseAsBefore(database);
  await tamper(database, 'update consent_seals set key_id = null, seal_hmac = null');
  await db.update(dataKeys).set({ createdAt: new Date() }).where(eq(dataKeys.id, 'consent-seal-1'));
}

/** Erases the newest record as before hash version 2, when erasures kept no hash of the origin. */
async function eraseAsBefore(database: TestDb): Promise<void> {
  const { db } = database;
  const key = await sealKey(database);
  const [last] = await db.select().from(consentRecords).orderBy(desc(consentRecords.id)).limit(1);
  if (last === undefined) throw new Error('there is no record');
  await db.transaction((tx) => eraseConsentRecords(tx, [last.id], { at: new Date(), sealKey: key }));
  const [record] = await db.select().from(consentRecords).where(eq(consentRecords.id, last.id));
  const [erasure] = await db.select().from(consentErasures);
  const [seal] = await db.select().from(consentSeals).where(eq(consentSeals.sealed, 'erasure'));
  if (record === undefined || erasure === undefined || seal === undefined) throw new Error('not erased');
  const { origin: _, ...hashes } = erasure.hashes;
  const hash = erasureHash(record, { ...erasure, hashes });
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.update(consentErasures).set({ hashes, erasureHash: hash });
    await tx
      .update(consentSeals)
      .set({ sealHash: sealHash(seal.prevHash, hash, seal.sealedAt) })
      .where(eq(consentSeals.seq, seal.seq));
  });
}

interface Submission {
  from: Client;
  form: FormKey | null;
  fields: Partial<LeadCreateInput>;
  headers?: Record<string, string>;
  query?: string;
  plain?: boolean;
}

/** Sends submissions five seconds after their forms were rendered. */
function sender(app: TestApp, clock: { ms: number }) {
  return async ({
    from,
    form,
    fields,
    headers = {},
    query = '',
    plain = false,
  }: Submission): Promise<void> => {
    const token = form === null ? {} : { form, token: app.services.submissions.formTokens.issue(form) };
    clock.ms += 5_000;
    const body = { ...fields, ...token, acceptance_consent: true };
    const sent = plain
      ? new URLSearchParams(Object.entries(body).map(([name, value]) => [name, String(value)])).toString()
      : body;
    const answer = await from.post(`/api/leads${query}`, sent, {
      'user-agent': 'Test/1.0',
      'x-forwarded-for': '203.0.113.10',
      ...(plain ? formType : {}),
      ...headers,
    });
    if (answer.status !== (plain ? 303 : 201))
      throw new Error(`refused with ${answer.status}: ${answer.text}`);
  };
}

/** What each site sends: by script, by plain form, and by an API client. */
async function submitAll(app: TestApp, clock: { ms: number }, providerId: number): Promise<void> {
  const send = sender(app, clock);
  const [main, tenant] = [app.as(mainHost), app.as(tenantHost)];
  const page = (host: string, path = '/') => ({
    origin: `https://${host}`,
    referer: `https://${host}${path}`,
    'sec-fetch-site': 'same-origin',
  });
  await send({
    from: main,
    form: 'landing',
    fields: person('Dario', 'Elmsworth', 4),
    headers: page(mainHost),
  });
  await send({
    ...{ from: main, form: 'landing', fields: person('Emmett', 'Fairbrook', 5), plain: true },
    headers: { ...page(mainHost), 'x-forwarded-for': '2001:DB8:0:0:0:0:0:7', 'sec-gpc': '1' },
  });
  await send({
    from: tenant,
    form: 'microsite',
    fields: person('Félix', 'Glasswell', 6),
    headers: page(tenantHost),
  });
  await send({
    ...{ from: tenant, form: 'microsite', fields: person('Grady', 'Ashgrove', 7), plain: true },
    headers: page(tenantHost),
  });
  await send({
    ...{ from: main, form: 'microsite', query: `?providerId=${providerId}` },
    ...{
      fields: person('Hollis', 'Brightwater', 8),
      headers: page(mainHost, `/microsite?providerId=${providerId}`),
    },
  });
  const said = { acceptance_message: 'I agree to be contacted.\nLine two, “quoted”.' };
  await send({ from: main, form: null, fields: { ...person('Ivo', 'Coppergate', 9), ...said } });
}

/** And after the seal key was replaced: the person who is erased, and the one who withdraws. */
async function submitRest(app: TestApp, clock: { ms: number }): Promise<void> {
  const send = sender(app, clock);
  const main = app.as(mainHost);
  const headers = { origin: `https://${mainHost}`, referer: `https://${mainHost}/find` };
  await send({ from: main, form: 'find', fields: person('Jonah', 'Dunmere', 10), headers });
  const own = { acceptance_message: 'I, Keaton Elmsworth, agree.' };
  await send({ from: main, form: 'quiz', fields: { ...person('Keaton', 'Elmsworth', 11), ...own }, headers });
  await send({
    ...{ from: main, form: 'landing', fields: person('Bram', 'Fairbrook', 12), plain: true },
    headers: { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' },
  });
}

async function eraseKeaton(app: TestApp, chain: Pick<Chain, 'records'>): Promise<Chain['erased']> {
  const [row] = chain.records.filter(({ firstName }) => firstName === 'Keaton');
  const { id, leadId, ...values } = row ?? {};
  if (typeof id !== 'number' || typeof leadId !== 'number') throw new Error('Keaton left no record');
  const text = (name: string): string | null => {
    const value = values[name];
    return typeof value === 'string' ? value : null;
  };
  await erasePerson(
    { services: app.services, actor: testActor, ip: '203.0.113.99' },
    { leadId, reason: 'asked' },
  );
  return {
    recordId: id,
    values: {
      first_name: text('firstName'),
      last_name: text('lastName'),
      email: text('email'),
      phone: text('phone'),
      ip: text('ip'),
      user_agent: text('userAgent'),
      page_url: text('pageUrl'),
      referrer_host: text('referrerHost'),
      origin: text('origin'),
      text_shown: text('textShown'),
    },
  };
}

async function withdrawJonah(app: TestApp, chain: Pick<Chain, 'records'>): Promise<Chain['withdrawalLink']> {
  const [row] = chain.records.filter(({ firstName }) => firstName === 'Jonah');
  const { leadId, leadPublicId } = row ?? {};
  if (typeof leadId !== 'number' || typeof leadPublicId !== 'string') throw new Error('Jonah left no record');
  const token = signWithdrawal([newSecret], leadPublicId);
  const path = `/withdraw/${token}`;
  const answer = await app.as(mainHost).post(path, linkForm(app.services, path), formType);
  if (answer.status !== 303) throw new Error(`the withdrawal was refused with ${answer.status}`);
  return { leadId, token };
}

/**
 * Makes a chain as the product does, by requests to the running application: before there were keys, under a first
 * seal key, and under a second one that was added together with a new secret.
 */
export async function makeChain(): Promise<Chain> {
  await using database = await testDb();
  const clock = { ms: Date.parse('2026-06-01T12:00:00.123Z') };
  const now = (): Date => new Date(clock.ms);
  const env = { MAIN_DOMAINS: mainHost, TRUSTED_PROXIES: '1' };
  await insertVersion1(database);
  const provider = await insertProvider(database.db, {
    name: 'Amber Quay',
    practiceName: null,
    domain: tenantHost,
  });
  {
    await using app = await testApp({ database, now, env: { ...env, SECRET_KEYS: oldSecret } });
    await submitAll(app, clock, provider.id);
    await sealAll(app);
  }
  const id = 'consent-seal-2';
  const sealedKey = sealText([newSecret], dataKeySeal(id), randomBytes(32).toString('base64url'));
  await database.db.insert(dataKeys).values({ id, purpose: 'consent-seal', sealedKey });
  const secretKeys = [newSecret, oldSecret];
  await using app = await testApp({ database, now, env: { ...env, SECRET_KEYS: secretKeys.join(',') } });
  await submitRest(app, clock);
  const before = await dumpEvidence(database);
  const erased = await eraseKeaton(app, before);
  const withdrawalLink = await withdrawJonah(app, before);
  const evidence = await dumpEvidence(database);
  const { seq, sealHash: hash } = evidence.seals.at(-1) ?? {};
  if (typeof seq !== 'number' || typeof hash !== 'string') throw new Error('nothing was sealed');
  return { secretKeys, head: { seq, sealHash: hash }, erased, withdrawalLink, ...evidence };
}
