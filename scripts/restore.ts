import { parseArgs } from 'node:util';
import type { Config } from '#server/config/config.ts';
import { withLocalSecrets } from '#server/config/localSecrets.ts';
import { openLedgerTarget } from '#server/features/ledger/objectLedger.ts';
import { afterLines, finishRestore } from './backup/afterRestore.ts';
import { readManifest } from './backup/manifest.ts';
import { replayLedger, replayLines } from './backup/replay.ts';
import { restoreBackup } from './backup/restoreBackup.ts';
import { withDatabase } from './withDatabase.ts';

const usage = [
  'npm run restore -- <folder> [--without-ledger] [--without-keys]',
  'npm run restore -- --replay-only',
].join('\n');

/** Throws a sentence if the backup had a ledger and none is configured, or if it can't be read. */
async function requireLedger(folder: string, { ledger }: Config): Promise<void> {
  const { ledger: former } = await readManifest(folder);
  if (ledger !== null) await openLedgerTarget(ledger).read(Math.max(former.sequence, 1));
  else if (former.isConfigured || former.sequence > 0)
    throw new Error(
      'LEDGER_URL isn’t set, but the backup’s database shipped an erasure ledger. Set it, or people who were erased or suppressed since come back; --without-ledger restores anyway. Nothing was restored.',
    );
}

/**
 * `npm run restore`: restores a backup into an empty database, then ends sessions and access that ended since, moves
 * sequences beyond the numbers that were given, and repeats the erasures and suppressions that were shipped since.
 * `--replay-only` does everything but restore, after a recovery by other means.
 */
await withDatabase(async ({ url, config }) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'replay-only': { type: 'boolean', default: false },
      'without-ledger': { type: 'boolean', default: false },
      'without-keys': { type: 'boolean', default: false },
    },
  });
  const [folder, ...more] = positionals;
  const isReplay = values['replay-only'];
  if (isReplay === (folder !== undefined) || more.length > 0) throw new Error(usage);
  const { secretKeys } = await withLocalSecrets(config);
  const withoutKeys = values['without-keys'];
  if (folder !== undefined) {
    if (!values['without-ledger'] && !withoutKeys) await requireLedger(folder, config);
    const ownerUrl = config.databaseOwnerUrl;
    const manifest = await restoreBackup({ url, ownerUrl, folder, secretKeys, withoutKeys });
    const { ledger } = manifest;
    console.log(`Restored the database as of ${manifest.at} (version ${manifest.product}).`);
    console.log(
      `Entries of the erasure ledger that waited at that time: ${ledger.unshipped}, the oldest for ${ledger.oldestUnshippedSeconds} s.`,
    );
  }
  const ledger = values['without-ledger'] || withoutKeys ? null : config.ledger;
  if (ledger === null && isReplay) throw new Error('LEDGER_URL isn’t set: there is no ledger to replay.');
  // Before the replay: a refused one must leave nobody's access open.
  for (const line of afterLines(await finishRestore({ url, secretKeys, ledger }))) console.log(line);
  const lines =
    ledger === null
      ? ['No ledger was replayed: repeat erasures and suppressions since that time by hand.']
      : replayLines(await replayLedger({ url, secretKeys, ledger }));
  for (const line of lines) console.log(line);
});
