import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { messageName, unsentPageSize } from '#shared/admin/unsentMail.ts';
import { meets } from '#test/support/meets.ts';
import type { Message } from './message.ts';
import { createMailFolder, type MailFolder } from './mailFolder.ts';

interface Setup extends AsyncDisposable {
  mail: MailFolder;
  /** A second one on the same folder. */
  again: () => MailFolder;
  folder: string;
  clock: { ms: number };
}

async function setUp(): Promise<Setup> {
  const dataDir = await mkdtemp(join(tmpdir(), 'outbox-'));
  const clock = { ms: Date.parse('2026-06-01T12:00:00Z') };
  const from = { name: 'Brand', address: 'hello@brand.example' };
  const again = (): MailFolder => createMailFolder({ dataDir, from, now: () => new Date(clock.ms) });
  return {
    mail: again(),
    again,
    folder: join(dataDir, 'outbox'),
    clock,
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true }),
  };
}

function messageTo(address: string): Message {
  return {
    id: randomUUID(),
    to: { name: 'Kit', address },
    replyTo: { name: 'Us', address: 'desk@brand.example' },
    rendered: { subject: `To ${address}`, html: '<h1>Hello</h1>', text: 'HELLO' },
    unsubscribeUrl: null,
  };
}

test('a message is stored as sent and as the dashboard shows it', async () => {
  meets('D.deliveries.25');
  await using at = await setUp();
  const message = messageTo('kit@example.com');
  expect(await at.mail.list(null)).toEqual({ messages: [], next: null });
  const name = `20260601T120000000Z-${message.id}`;
  expect(await at.mail.send(message)).toEqual({
    outcome: 'delivered',
    status: 'outbox',
    answer: `${name}.eml`,
  });
  const line = { name, at: '2026-06-01T12:00:00.000Z', to: 'kit@example.com', subject: 'To kit@example.com' };
  expect(await at.mail.list(null)).toEqual({ messages: [line], next: null });
  expect(await at.mail.get(name)).toEqual({ ...line, html: '<h1>Hello</h1>', text: 'HELLO' });
  const email = await PostalMime.parse(await readFile(join(at.folder, `${name}.eml`)));
  expect(email).toMatchObject({
    subject: line.subject,
    messageId: `<${message.id}@brand.example>`,
    to: [{ name: 'Kit', address: 'kit@example.com' }],
  });
  expect((await readdir(at.folder)).toSorted()).toEqual([`${name}.eml`, `${name}.json`]);
});

test('the list is paged, newest first, and contains only complete messages', async () => {
  await using at = await setUp();
  for (let count = 0; count <= unsentPageSize; count += 1) {
    at.clock.ms += 1_000;
    await at.mail.send(messageTo(`${count}@example.com`));
  }
  await writeFile(join(at.folder, '.draft-of-another-process'), '{"half":');
  const first = await at.mail.list(null);
  expect(first.messages).toHaveLength(unsentPageSize);
  expect(first.messages[0]?.to).toBe(`${unsentPageSize}@example.com`);
  const rest = await at.mail.list(first.next);
  expect(rest.messages.map(({ to }) => to)).toEqual(['0@example.com']);
  expect(rest.next).toBeNull();
});

test('only the newest thousand messages are kept', async () => {
  await using at = await setUp();
  await at.mail.send(messageTo('first@example.com'));
  for (let count = 0; count < 1_000; count += 1) {
    const name = `20270101T${String(count).padStart(9, '0')}Z-${randomUUID()}`;
    await writeFile(join(at.folder, `${name}.json`), '{}');
    await writeFile(join(at.folder, `${name}.eml`), '');
  }
  at.clock.ms = Date.parse('2028-01-01T00:00:00Z');
  // A second process, which removes old messages after its first one.
  await at.again().send(messageTo('last@example.com'));
  const files = await readdir(at.folder);
  expect(files).toHaveLength(2_000);
  expect(files.filter((file) => file.startsWith('2026'))).toEqual([]);
  expect(files.filter((file) => file.startsWith('2028'))).toHaveLength(2);
});

test('a name that is not a message’s reads no file', async () => {
  for (const name of ['../secret-keys', '20260601T120000000Z-/../../secret-keys', '', '.'])
    expect(messageName.safeParse(name).success).toBe(false);
  await using at = await setUp();
  await expect(at.mail.get(`20260601T120000000Z-${randomUUID()}`)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'Message not found',
  });
});

test('a failed write leaves no draft and no partial message', async () => {
  for (const blocked of ['eml', 'json']) {
    await using at = await setUp();
    const message = messageTo('kit@example.com');
    const name = `20260601T120000000Z-${message.id}`;
    // A folder with the file's name: the write succeeds and the rename fails.
    await mkdir(join(at.folder, `${name}.${blocked}`), { recursive: true });
    await expect(at.mail.send(message)).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/);
    expect(await readdir(at.folder)).toEqual([`${name}.${blocked}`]);
  }
});

test('old drafts of a crashed process are removed, and new drafts are kept', async () => {
  await using at = await setUp();
  await at.mail.send(messageTo('kit@example.com'));
  const drafts = [`.20260601T120000001Z-${randomUUID()}.eml.draft`, `.${randomUUID()}.draft`];
  for (const draft of [...drafts, '.new.draft']) await writeFile(join(at.folder, draft), 'To: kit@');
  const anHourAgo = Date.now() / 1000 - 3600;
  for (const draft of drafts) await utimes(join(at.folder, draft), anHourAgo, anHourAgo);
  expect(await at.mail.removeOldDrafts()).toBe(2);
  const files = await readdir(at.folder);
  expect(files.filter((file) => file.endsWith('.draft'))).toEqual(['.new.draft']);
  expect(files).toHaveLength(3);
});

test('a mail folder that doesn’t exist has no drafts to remove', async () => {
  await using at = await setUp();
  expect(await at.mail.removeOldDrafts()).toBe(0);
});

test('a mail folder that can’t be read is an error and not empty', async () => {
  await using at = await setUp();
  await writeFile(at.folder, 'a file in the place of the folder');
  await expect(at.mail.list(null)).rejects.toThrow('ENOTDIR');
  await expect(at.mail.send(messageTo('kit@example.com'))).rejects.toThrow('EEXIST');
});

test('a message that can’t be read is an error and not missing', async () => {
  await using at = await setUp();
  const message = messageTo('kit@example.com');
  const name = `20260601T120000000Z-${message.id}`;
  await at.mail.send(message);
  await writeFile(join(at.folder, `${name}.json`), '{"cut');
  await expect(at.mail.get(name)).rejects.toThrow(SyntaxError);
});
