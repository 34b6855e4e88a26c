import { parseArgs } from 'node:util';
import { and, asc, eq, gt, inArray } from 'drizzle-orm';
import { z } from 'zod';
import { leadChannels } from '#shared/admin/deliveries.ts';
import { createDataKeys } from '#server/security/dataKeys.ts';
import { connect, type Database } from '#server/db/connect.ts';
import { deliveries } from '#server/db/schema/index.ts';
import { withLocalSecrets } from '#server/config/localSecrets.ts';
import { retryLeadDeliveries } from '#server/features/deliveries/retryDeliveries.ts';
import { withDatabase } from './withDatabase.ts';

const usage = [
  'npm run deliveries -- retry --channel <channel> --state <state>',
  '  --channel  lead-email, provider-email or crm',
  '  --state    failed or held',
].join('\n');

const retried = z.object({ channel: z.enum(leadChannels), state: z.enum(['failed', 'held']) });
type Retried = z.output<typeof retried>;

interface Options {
  url: string;
  /** One of them opens the identity key. */
  secretKeys: readonly string[];
}

/** At a time, so that no transaction holds many rows. */
const batchSize = 500;
const actor = { kind: 'command', name: 'npm run deliveries' } as const;

/** The ids of a batch after an id, in ascending order: a delivery that fails again isn't listed twice. */
async function listIds(db: Database, { channel, state }: Retried, after: string): Promise<string[]> {
  const { id } = deliveries;
  const rows = await db
    .select({ id })
    .from(deliveries)
    .where(and(eq(deliveries.channel, channel), inArray(deliveries.state, [state]), gt(id, after)))
    .orderBy(asc(id))
    .limit(batchSize);
  return rows.map((row) => row.id);
}

/**
 * Runs `npm run deliveries` with its arguments: queues all failed or held deliveries of a channel with a new round of
 * attempts, each with an audit entry. Throws a sentence with the usage for wrong arguments.
 */
export async function runDeliveries({ url, secretKeys }: Options, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { channel: { type: 'string' }, state: { type: 'string' } },
  });
  const request = retried.safeParse(values);
  if (positionals.length !== 1 || positionals[0] !== 'retry' || !request.success) throw new Error(usage);
  const { db, close } = connect(url, { applicationName: 'clinic-leads-deliveries', max: 1 });
  try {
    const { key: identityKey } = await createDataKeys({ db, secretKeys }).current('identity');
    let count = 0;
    let ids = await listIds(db, request.data, '00000000-0000-0000-0000-000000000000');
    while (ids.length > 0) {
      const batch = ids;
      const retry = { actor, ip: null, now: new Date(), identityKey };
      const queued = await db.transaction((tx) => retryLeadDeliveries(tx, retry, batch));
      count += queued.length;
      ids = await listIds(db, request.data, batch.at(-1) ?? '');
    }
    console.log(`Queued: ${count}.`);
  } finally {
    await close();
  }
}

/** `npm run deliveries`: retries deliveries. Without DATABASE_URL or SECRET_KEYS it uses the local ones, like `npm start`. */
if (import.meta.main)
  await withDatabase(async ({ url, config }) => {
    const { secretKeys } = await withLocalSecrets(config);
    await runDeliveries({ url, secretKeys }, process.argv.slice(2));
  });
