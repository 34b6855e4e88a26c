import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { withLocalSecrets } from '#server/config/localSecrets.ts';
import { createBackup } from './backup/createBackup.ts';
import { backupMethods, type Manifest } from './backup/manifest.ts';
import { withDatabase } from './withDatabase.ts';

const usage = 'npm run backup -- <new folder> [--method pg_dump|copy] [--with-keys]';

function ledgerLine({
  isConfigured,
  unshipped,
  oldestUnshippedSeconds,
  sequence,
}: Manifest['ledger']): string {
  if (!isConfigured)
    return 'LEDGER_URL isn’t set: erasures and suppressions after this backup can’t be repeated after a restore.';
  return unshipped === 0
    ? `The erasure ledger is shipped up to entry ${sequence}.`
    : `The erasure ledger is shipped up to entry ${sequence}. Waiting: ${unshipped}, the oldest for ${oldestUnshippedSeconds} s.`;
}

/** `npm run backup`: a consistent backup of the database, while the product runs. */
await withDatabase(async ({ url, config }) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { method: { type: 'string' }, 'with-keys': { type: 'boolean', default: false } },
  });
  const [folder, ...more] = positionals;
  const method = backupMethods.find((name) => name === values.method);
  if (folder === undefined || more.length > 0 || method !== (values.method ?? undefined))
    throw new Error(usage);
  const { secretKeys } = await withLocalSecrets(config);
  const { files, tables, at, ...made } = await createBackup({
    ...{ url: config.databaseOwnerUrl ?? url, folder, secretKeys, method },
    ...{ hasLedger: config.ledger !== null, withKeys: values['with-keys'] },
  });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  console.log(
    `Backed up as of ${at} with ${made.method}. Tables: ${tables.length}, rows: ${rows}, files: ${files.length}, bytes: ${bytes}.`,
  );
  console.log(ledgerLine(made.ledger));
  console.log(
    values['with-keys']
      ? `The secret keys are in ${basename(folder)}.secret-keys, beside the folder. Keep them in another place than the backup.`
      : 'SECRET_KEYS is not in the backup. Keep its keys in another place: without them, a restored database can’t deliver.',
  );
  console.log('Not in the backup: DATA_DIR (unsent mail, share images), certificates and environment files.');
});
