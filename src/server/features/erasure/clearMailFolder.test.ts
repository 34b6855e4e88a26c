import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import type { DeliveryTemplate } from '#shared/admin/deliveries.ts';
import { staffActionOn, type TestStaffAction } from '#test/support/staffActions.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { createMail } from '../mail/mailer.ts';
import { sendPlain } from '../mail/plainMessages.ts';
import { clearMailFolder } from './clearMailFolder.ts';
import { erasePerson } from './erasePerson.ts';

interface Setup extends AsyncDisposable {
  clock: { ms: number };
  database: TestDb;
  folder: string;
  staffAction: TestStaffAction;
  /** Stores a message about a lead and returns its delivery’s id. */
  put: (leadId: number, subject: string, template?: DeliveryTemplate) => Promise<string>;
  resend: (deliveryId: string, subject: string) => Promise<void>;
  subjects: () => Promise<string[]>;
  /** All files of the folder, as text. */
  files: () => Promise<string>;
}

async function setUp(): Promise<Setup> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clear-outbox-'));
  const folder = join(dataDir, 'outbox');
  const database = await testDb();
  const clock = { ms: Date.parse('2026-06-10T12:00:00Z') };
  const staffAction = staffActionOn(database, clock);
  const mail = createMail(parseConfig({ DATA_DIR: dataDir }), staffAction.services.now);
  async function resend(id: string, subject: string): Promise<void> {
    clock.ms += 1;
    const us = { name: 'Us', address: 'desk@brand.example' };
    const rendered = { subject, html: `<p>${subject}</p>`, text: subject };
    await mail.mailer.send({ id, to: us, replyTo: us, rendered, unsubscribeUrl: null });
  }
  return {
    clock,
    database,
    folder,
    staffAction: { ...staffAction, services: { ...staffAction.services, mail } },
    async put(leadId, subject, template = 'lead') {
      const row = { leadId, template, channel: 'lead-email', state: 'delivered', attempts: 1 } as const;
      const id = await insertDelivery(database, row);
      await resend(id, subject);
      return id;
    },
    resend,
    subjects: async () => (await mail.folder?.list(null))?.messages.map(({ subject }) => subject) ?? [],
    async files() {
      const names = await readdir(folder);
      return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true });
    },
  };
}

test('an erasure deletes the person’s messages, and late ones at the next run', async () => {
  await using at = await setUp();
  const { db } = at.database;
  const [lead, other] = [await insertLead(db), await insertLead(db)];
  const about = await at.put(lead.id, 'about Wilhelmina');
  await at.resend(about, 'about Wilhelmina again');
  await at.put(lead.id, 'Wilhelmina withdrew', 'withdrawn');
  await at.put(other.id, 'about another');
  await erasePerson(at.staffAction, { leadId: lead.id, reason: 'asked' });
  await at.put(lead.id, 'delete the lead', 'erased');
  expect(await at.subjects()).toEqual(['delete the lead', 'about another']);

  await at.resend(about, 'Wilhelmina, late');
  expect(await at.files()).toContain('Wilhelmina');
  expect(await clearMailFolder(at.staffAction.services)).toBe(1);
  expect(await at.subjects()).toEqual(['delete the lead', 'about another']);
  expect(await at.files()).not.toContain('Wilhelmina');
  expect(await clearMailFolder(at.staffAction.services)).toBe(0);
});

test('a purge deletes the lead’s messages, also one that a crash left incomplete', async () => {
  await using at = await setUp();
  const lead = await insertLead(at.database.db);
  await at.put(lead.id, 'about Wilhelmina');
  // The JSON file is written last. Without it, the message is not listed.
  for (const file of (await readdir(at.folder)).filter((name) => name.endsWith('.json')))
    await rm(join(at.folder, file));
  expect(await at.subjects()).toEqual([]);
  await at.database.sql`delete from leads where id = ${lead.id}`;
  expect(await at.files()).toContain('Wilhelmina');
  expect(await clearMailFolder(at.staffAction.services)).toBe(1);
  expect(await at.files()).toBe('');
});

test('an erasure deletes the drafts that a crash left of the person’s messages', async () => {
  await using at = await setUp();
  const [lead, other] = [await insertLead(at.database.db), await insertLead(at.database.db)];
  const ids = [await at.put(lead.id, 'about Wilhelmina'), await at.put(other.id, 'about another')];
  await erasePerson(at.staffAction, { leadId: lead.id, reason: 'asked' });
  for (const id of ids)
    await writeFile(join(at.folder, `.20260610T120000009Z-${id}.json.draft`), `draft of ${id}`);
  await clearMailFolder(at.staffAction.services);
  const left = await at.files();
  expect(left).toContain(`draft of ${ids[1]}`);
  expect(left).not.toContain(`draft of ${ids[0]}`);
});

test('a message without a contact stays for a week, and an applicant’s goes at once', async () => {
  await using at = await setUp();
  const services = { config: parseConfig({}), mail: at.staffAction.services.mail };
  const send = (subject: string, hasNoContact: boolean) =>
    sendPlain(services, {
      ...{ id: randomUUID(), address: 'desk@brand.example', hasNoContact },
      rendered: { subject, html: '', text: subject },
    });
  await send('How did it go with lead #1?', true);
  await send('The application of Juniper Street', false);
  expect(await clearMailFolder(at.staffAction.services)).toBe(1);
  expect(await at.subjects()).toEqual(['How did it go with lead #1?']);
  at.clock.ms += 7 * 86_400_000;
  await clearMailFolder(at.staffAction.services);
  expect(await at.subjects()).toEqual(['How did it go with lead #1?']);
  at.clock.ms += 1;
  await clearMailFolder(at.staffAction.services);
  expect(await at.files()).toBe('');
});
