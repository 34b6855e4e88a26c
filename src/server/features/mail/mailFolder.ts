import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import {
  unsentLine,
  type UnsentLine,
  unsentMessage,
  type UnsentMessage,
  messageName,
  unsentPageSize,
  unsentStatus,
} from '#shared/admin/unsentMail.ts';
import { dayMs, minuteMs } from '#shared/formats/time.ts';
import { notFound } from '../../errors.ts';
import { type MailAddress, type Mailer, mailOptions } from './message.ts';

/** Older messages are deleted, at every fiftieth message: reading the folder is slower than writing one. */
const messagesMax = 1_000;
const cleanEvery = 50;
/** Far longer than writing a file: another process may be using a newer draft. */
const draftAgeMaxMs = 10 * minuteMs;
const plainAgeMaxMs = 7 * dayMs;

/** A folder instead of a mail server: each message is a file that staff can read. */
export interface MailFolder extends Mailer {
  /** A page of messages older than `before`, newest first. */
  list: (before: string | null) => Promise<{ messages: UnsentLine[]; next: string | null }>;
  /** Throws NOT_FOUND 'Message not found'. */
  get: (name: string) => Promise<UnsentMessage>;
  /** The ids of the deliveries and of the messages to applicants, each once. */
  deliveryIds: () => Promise<string[]>;
  /** Removes the messages of all attempts of these deliveries. */
  remove: (deliveryIds: readonly string[]) => Promise<void>;
  /** Removes messages without a contact that are older than a week. */
  removeOldPlain: () => Promise<void>;
  /** Removes drafts that a crashed process left: those older than ten minutes. Returns how many. */
  removeOldDrafts: () => Promise<number>;
}

/** Stores the newest thousand messages in `outbox`: `.eml`, and `.json` for the dashboard. Files are never partial. */
export function createMailFolder({
  dataDir,
  from,
  now,
}: {
  dataDir: string;
  from: MailAddress;
  now: () => Date;
}): MailFolder {
  const folder = join(dataDir, 'outbox');
  let written = 0;
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    heldReason: () => null,
    close: () => undefined,
    async send(message) {
      const at = now();
      const kind = message.hasNoContact === true ? plainMark : '';
      const name = `${nameTime(at)}-${kind}${message.id}`;
      const { message: eml } = await composer.sendMail(mailOptions(message, from, at));
      const { subject, html, text } = message.rendered;
      const shown: UnsentMessage = {
        name,
        at: at.toISOString(),
        to: message.to.address,
        subject,
        html,
        text,
      };
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await put(folder, `${name}.eml`, eml);
      try {
        // Last: messages with this file are listed.
        await put(folder, `${name}.json`, JSON.stringify(shown));
      } catch (error) {
        await removeQuietly(join(folder, `${name}.eml`));
        throw error;
      }
      if (written % cleanEvery === 0)
        await removeNamed(folder, (await namesIn(folder, '.eml')).slice(messagesMax));
      written += 1;
      return { outcome: 'delivered', status: unsentStatus, answer: `${name}.eml` };
    },
    async list(before) {
      const names = (await namesIn(folder)).filter((name) => before === null || name < before);
      const page = names.slice(0, unsentPageSize);
      const messages = await Promise.all(page.map((name) => readMessage(folder, name)));
      return {
        // Another process may have removed one since.
        messages: messages.flatMap((message) => (message === null ? [] : [unsentLine.parse(message)])),
        next: names.length > page.length ? (page.at(-1) ?? null) : null,
      };
    },
    async get(name) {
      const message = await readMessage(folder, name);
      if (message === null) throw notFound('Message');
      return message;
    },
    async deliveryIds() {
      const drafts = (await filesIn(folder)).flatMap((file) => getDraftName(file) ?? []);
      const names = [...(await namesIn(folder, '.eml')), ...drafts].filter((name) => !isPlain(name));
      return [...new Set(names.map(getDeliveryId))];
    },
    async remove(deliveryIds) {
      const removed = new Set(deliveryIds);
      const names = (await namesIn(folder, '.eml')).filter((name) => removed.has(getDeliveryId(name)));
      await removeNamed(folder, names);
      for (const file of await filesIn(folder)) {
        const name = getDraftName(file);
        if (name !== null && removed.has(getDeliveryId(name))) await rm(join(folder, file), { force: true });
      }
    },
    async removeOldPlain() {
      const oldest = nameTime(new Date(now().getTime() - plainAgeMaxMs));
      await removeNamed(
        folder,
        (await namesIn(folder, '.eml')).filter((name) => isPlain(name) && name < oldest),
      );
    },
    async removeOldDrafts() {
      let removed = 0;
      for (const file of await filesIn(folder)) {
        if (!file.endsWith(draftSuffix) || !(await isOld(join(folder, file)))) continue;
        await rm(join(folder, file), { force: true });
        removed += 1;
      }
      return removed;
    },
  };
}

/** '20260610T120000000Z' */
function nameTime(at: Date): string {
  return at.toISOString().replaceAll(/[-:.]/g, '');
}

/** In the name of a message without a contact, between its time and its id. */
const plainMark = 'plain-';

function isPlain(name: string): boolean {
  return name.includes(`-${plainMark}`);
}

/** A name ends in a delivery's id. */
function getDeliveryId(name: string): string {
  return name.slice(name.indexOf('-') + 1);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function filesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

const draftSuffix = '.draft';

/** The name of a draft's message, which ends in the delivery's id for erasures; null for any other file. */
function getDraftName(file: string): string | null {
  const [, name] = /^\.(.+)\.(?:eml|json)\.draft$/.exec(file) ?? [];
  return name !== undefined && messageName.safeParse(name).success ? name : null;
}

/** By the file system's clock, which also sets the file's time. A missing file is not old. */
async function isOld(file: string): Promise<boolean> {
  const found = await stat(file).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  return found !== null && Date.now() - found.mtimeMs > draftAgeMaxMs;
}

/** Cleans up after a failure, which the caller reports. */
async function removeQuietly(file: string): Promise<void> {
  await rm(file, { force: true }).catch(() => undefined);
}

/** The names of the messages that have a file of this kind, newest first. */
async function namesIn(folder: string, kind: '.json' | '.eml' = '.json'): Promise<string[]> {
  return (await filesIn(folder))
    .flatMap((file) => (file.endsWith(kind) ? [file.slice(0, -kind.length)] : []))
    .filter((name) => messageName.safeParse(name).success)
    .toSorted()
    .toReversed();
}

async function readMessage(folder: string, name: string): Promise<UnsentMessage | null> {
  try {
    return unsentMessage.parse(JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Writes under another name first, so that readers of the folder never see an incomplete file. */
async function put(folder: string, file: string, content: string | Buffer | Readable): Promise<void> {
  const draft = join(folder, `.${file}${draftSuffix}`);
  try {
    await writeFile(draft, content, { mode: 0o600 });
    await rename(draft, join(folder, file));
  } catch (error) {
    await removeQuietly(draft);
    throw error;
  }
}

/** Removes `.eml` last: `deliveryIds` lists a message as long as it has that file. */
async function removeNamed(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await rm(join(folder, `${name}.json`), { force: true });
    await rm(join(folder, `${name}.eml`), { force: true });
  }
}
