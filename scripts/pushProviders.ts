/**
 * An example to copy: sends providers to `POST /api/providers/sync`, a thousand at a time, from a file with one JSON
 * object a line. It stands by itself and needs nothing but Node 24.
 *
 * PROVIDERS_TOKEN=mpx_… node pushProviders.ts providers.ndjson --to https://brand.example
 *
 * The token needs the scope providers:write. Where it stopped is kept beside the file (`providers.ndjson.state.json`):
 * started again, it goes on from there. Sending the same provider twice changes nothing, so nothing is lost or doubled
 * whatever happens.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const usage =
  'PROVIDERS_TOKEN=mpx_… npm run push-providers -- <file.ndjson> [--to http://localhost:3000] [--restart] [--force]';

const rowsMax = 1_000;
/** The service takes 8 MiB. */
const bytesMax = 7 * 1024 * 1024;
const timeoutMs = 60_000;
const attemptsMax = 8;
/** The longest wait the service may request. */
const waitMaxMs = 5 * 60_000;

/** A message for the person who started this; anything else that is thrown is a fault of this script. */
class Failure extends Error {}

interface Result {
  wordpress_id: number | null;
  result: 'created' | 'updated' | 'unchanged' | 'skipped';
  reason: string | null;
  warnings?: string[];
}

type Counts = Record<Result['result'], number>;

/** Where it is in the file, and what came of it so far. */
interface State {
  file: { bytes: number; changedAtMs: number; to: string };
  /** Bytes and lines that were sent and answered. */
  sentBytes: number;
  sentLines: number;
  counts: Counts;
}

interface Batch {
  lines: string[];
  /** Of the file, line ends included. */
  bytes: number;
  /** Lines of the file, empty ones included. */
  lineCount: number;
  /** Which of them, from 1, are longer than the service takes. */
  tooLong: number[];
}

/** Lines from a place in the file, in batches. */
async function* batches(file: string, from: Place): AsyncGenerator<Batch> {
  let batch: Batch = emptyBatch();
  for await (const { line, bytes } of buildLines(file, from)) {
    if (batch.lines.length === rowsMax || batch.bytes + bytes > bytesMax) {
      if (batch.lineCount > 0) yield batch;
      batch = emptyBatch();
    }
    batch.bytes += bytes;
    batch.lineCount += 1;
    if (bytes > bytesMax) batch.tooLong.push(batch.lineCount);
    else if (line.trim() !== '') batch.lines.push(line);
  }
  if (batch.lineCount > 0) yield batch;
}

function emptyBatch(): Batch {
  return { lines: [], bytes: 0, lineCount: 0, tooLong: [] };
}

/** Bytes and lines of the file before a place. */
type Place = Pick<State, 'sentBytes' | 'sentLines'>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Throws Failure for a line in another encoding: what is sent would have other characters. */
function toText(bytes: Buffer, number: number): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Failure(`Line ${number} isn’t UTF-8. Save the file as UTF-8.`);
  }
}

async function* buildLines(
  file: string,
  { sentBytes, sentLines }: Place,
): AsyncGenerator<{ line: string; bytes: number }> {
  let held = Buffer.alloc(0);
  let number = sentLines;
  for await (const chunk of createReadStream(file, { start: sentBytes }) as AsyncIterable<Buffer>) {
    held = Buffer.concat([held, chunk]);
    let from = 0;
    for (let end = held.indexOf(10); end !== -1; end = held.indexOf(10, from)) {
      number += 1;
      yield { line: toText(held.subarray(from, end), number), bytes: end + 1 - from };
      from = end + 1;
    }
    held = held.subarray(from);
  }
  if (held.length > 0) yield { line: toText(held, number + 1), bytes: held.length };
}

/**
 * Milliseconds that `Retry-After` asks for, in seconds or as a date, up to five minutes; else twice as long with each
 * try, up to half a minute.
 */
function waitMs(retryAfter: string | null, attempts: number): number {
  if (retryAfter !== null && /^\d+$/.test(retryAfter)) return Math.min(waitMaxMs, Number(retryAfter) * 1_000);
  const at = Date.parse(retryAfter ?? '');
  return Number.isNaN(at)
    ? Math.min(30_000, 500 * 2 ** attempts)
    : Math.min(waitMaxMs, Math.max(0, at - Date.now()));
}

/** The service's own sentence, from its problem+json. */
async function toSentence(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string') return error;
  } catch {
    // A proxy's page.
  }
  return response.statusText;
}

/** Sends one batch until it is answered. What another try can't mend ends it with the service's sentence. */
async function send(to: URL, token: string, lines: string[]): Promise<Result[]> {
  for (let attempts = 1; ; attempts += 1) {
    let problem: string;
    let retryAfter: string | null = null;
    try {
      const response = await fetch(to, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
        body: lines.join('\n'),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.ok) return ((await response.json()) as { results: Result[] }).results;
      problem = `${response.status} ${await toSentence(response)}`;
      retryAfter = response.headers.get('retry-after');
      if (![408, 429, 500, 502, 503, 504].includes(response.status)) throw new Failure(problem);
    } catch (error) {
      if (error instanceof Failure) throw error;
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      problem = cause instanceof Error ? cause.message : String(cause);
    }
    if (attempts === attemptsMax) throw new Failure(`${problem} (after ${attempts} tries)`);
    const wait = waitMs(retryAfter, attempts);
    console.error(`${problem}; trying again in ${Math.ceil(wait / 1_000)} s.`);
    await delay(wait);
  }
}

async function readState(path: string, file: State['file']): Promise<State | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  const state = JSON.parse(text) as State;
  const isSame = JSON.stringify(state.file) === JSON.stringify(file);
  if (!isSame)
    throw new Failure(
      'The file, or where it goes, has changed since the push started. Start over with --restart.',
    );
  return state;
}

/** Whole or not at all: a kill in the middle must not leave half a state. */
async function writeState(path: string, state: State): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(state));
  await rename(`${path}.new`, path);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string', default: 'http://localhost:3000' },
      restart: { type: 'boolean', default: false },
      force: { type: 'boolean', default: false },
    },
  });
  const [path] = positionals;
  const token = process.env['PROVIDERS_TOKEN'] ?? '';
  if (path === undefined || token === '') throw new Failure(`Which file, and with which token?\n${usage}`);
  const to = new URL('/api/providers/sync', values.to);
  // Not of `to`: a push that was stopped goes on with --force.
  const target = new URL(values.force ? '?force=true' : '', to);
  const { size, mtimeMs } = await stat(path).catch(() => {
    throw new Failure(`${path} could not be opened.`);
  });
  const statePath = `${path}.state.json`;
  if (values.restart) await rm(statePath, { force: true });
  const file = {
    bytes: size,
    changedAtMs: mtimeMs,
    to: createHash('sha256').update(to.href).digest('hex').slice(0, 16),
  };
  const nothing = { created: 0, updated: 0, unchanged: 0, skipped: 0 };
  const state = (await readState(statePath, file)) ?? { file, sentBytes: 0, sentLines: 0, counts: nothing };
  if (state.sentBytes > 0) console.error(`Going on after line ${state.sentLines}.`);

  const startedAt = performance.now();
  const startedLines = state.sentLines;
  try {
    for await (const { lines, bytes, lineCount, tooLong } of batches(path, { ...state })) {
      const results = lines.length === 0 ? [] : await send(target, token, lines);
      for (const { result, wordpress_id, reason, warnings = [] } of results) {
        state.counts[result] += 1;
        if (result === 'skipped') console.log(`${wordpress_id ?? 'a line without a number'}\t${reason}`);
        for (const warning of warnings) console.log(`${wordpress_id}\t${warning}`);
      }
      for (const line of tooLong) {
        state.counts.skipped += 1;
        console.log(`line ${state.sentLines + line}\tIt is longer than ${bytesMax / 1024 / 1024} MiB.`);
      }
      state.sentBytes += bytes;
      state.sentLines += lineCount;
      await writeState(statePath, state);
      const rate = Math.round((state.sentLines - startedLines) / ((performance.now() - startedAt) / 1000));
      const percent = Math.floor((100 * state.sentBytes) / size);
      console.error(`${percent} %, ${state.sentLines} lines, ${rate} a second`);
    }
  } catch (error) {
    if (error instanceof Failure)
      throw new Failure(
        `${error.message}\nStopped after line ${state.sentLines}; start again to go on from there.`,
      );
    throw error;
  }
  await rm(statePath, { force: true });
  const { created, updated, unchanged, skipped } = state.counts;
  console.error(`${created} created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped.`);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Failure || error instanceof TypeError ? error.message : error);
  process.exitCode = 1;
}
