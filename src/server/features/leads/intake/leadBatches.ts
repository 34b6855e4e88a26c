import type { LeadCreateOutput } from '#shared/leads/leads.ts';
import { isDatabaseAway } from '#server/errors.ts';
import type { StoreResult } from '../../submissions/idempotency.ts';
import type { NewLead } from './storeLeads.ts';

/** Leads in one transaction. */
const batchMax = 32;
/** Transactions at the same time. More of them would make the batches smaller and a lead more expensive. */
const transactionsMax = 2;
const busyMs = 1_000;

type Result = StoreResult<LeadCreateOutput>;

interface WaitingLead {
  lead: NewLead;
  /** Its email, phone and idempotency key. */
  serialKeys: readonly string[];
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface LeadBatches {
  /**
   * Stores a lead in one transaction with others. Resolves after the commit. Rejects only with the lead's own error.
   */
  store: (lead: NewLead) => Promise<Result>;
  /** Whether a lead had to wait for others within the last second. Work that can be done later should give way. */
  isBusy: () => boolean;
}

/**
 * Stores leads that arrive at the same time in one transaction, because most of a transaction's cost is independent of
 * the number of its leads. A lead starts at once while fewer than two transactions run; otherwise it joins the next one.
 * Leads with the same email, phone or idempotency key are stored one after the other, in the order in which they
 * arrived: never in one transaction, nor in two at the same time. The leads of a batch that fails are stored again,
 * each by itself. `storeBatch` stores a list in one transaction and returns a result per lead, in the same order:
 * `storeLeadBatch` (createServices.ts).
 */
export function createLeadBatches(
  storeBatch: (leads: readonly NewLead[]) => Promise<readonly Result[]>,
): LeadBatches {
  let waiting: WaitingLead[] = [];
  /** Keys of the leads that are being stored. */
  const busy = new Set<string>();
  let running = 0;
  let isStarting = false;
  let busyUntilMs = 0;

  /** Takes the leads that can be stored now, first come, first served. The others keep waiting. */
  function takeBatch(): WaitingLead[] {
    const batch: WaitingLead[] = [];
    const rest: WaitingLead[] = [];
    // Keys of the leads that keep waiting: a later lead of the same person must not overtake them.
    const blockedKeys = new Set<string>();
    for (const one of waiting) {
      const mustWait =
        batch.length === batchMax || one.serialKeys.some((key) => busy.has(key) || blockedKeys.has(key));
      (mustWait ? rest : batch).push(one);
      for (const key of one.serialKeys) (mustWait ? blockedKeys : busy).add(key);
    }
    waiting = rest;
    if (rest.length > 0) busyUntilMs = performance.now() + busyMs;
    return batch;
  }

  async function storeTogether(batch: readonly WaitingLead[]): Promise<void> {
    const results = await storeBatch(batch.map(({ lead }) => lead));
    for (const [index, { resolve }] of batch.entries()) {
      const result = results[index];
      if (result === undefined) throw new Error('no result for the lead');
      resolve(result);
    }
  }

  async function run(batch: readonly WaitingLead[]): Promise<void> {
    try {
      await storeTogether(batch);
    } catch (error) {
      // Without a database, each single lead would only fail later.
      if (batch.length > 1 && !isDatabaseAway(error)) await Promise.all(batch.map((one) => run([one])));
      else for (const { reject } of batch) reject(error);
    }
  }

  function startAll(): void {
    isStarting = false;
    while (running < transactionsMax) {
      const batch = takeBatch();
      if (batch.length === 0) return;
      running += 1;
      void run(batch).finally(() => {
        running -= 1;
        for (const { serialKeys } of batch) for (const key of serialKeys) busy.delete(key);
        startAll();
      });
    }
  }

  /** After the other requests of this turn of the event loop, so that they share the transaction. */
  function startSoon(): void {
    if (isStarting) return;
    isStarting = true;
    setImmediate(startAll);
  }

  return {
    store: (lead) =>
      new Promise((resolve, reject) => {
        const { emailNorm, phoneE164 } = lead.lead;
        const serialKeys = [`email ${emailNorm}`, `phone ${phoneE164}`, `key ${lead.claim.key}`];
        waiting.push({ lead, serialKeys, resolve, reject });
        if (running === transactionsMax) busyUntilMs = performance.now() + busyMs;
        startSoon();
      }),
    isBusy: () => performance.now() < busyUntilMs,
  };
}
