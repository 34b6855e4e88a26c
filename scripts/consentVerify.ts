import { connect, type Connection } from '#server/db/connect.ts';
import { toStartFault } from '#server/db/startFault.ts';
import { faultLine, verifyConsent } from '#server/features/consent/consentVerify.ts';
import { withLocalSecrets } from '#server/config/localSecrets.ts';
import { withDatabase } from './withDatabase.ts';

const options = { applicationName: 'consent-verify', max: 1 };

/** The replica if there is one and it answers: a check of many records holds its snapshot for minutes. */
async function openForReading(url: string, replicaUrl: string | null): Promise<Connection> {
  if (replicaUrl !== null) {
    const replica = connect(replicaUrl, { ...options, prepare: false, isReplica: true });
    try {
      await replica.sql`select 1`;
      return replica;
    } catch (error) {
      const { message } = toStartFault(error, replicaUrl, 'DATABASE_REPLICA_URL');
      console.error(`${message} The primary is read.`);
      await replica.close();
    }
  }
  return connect(url, options);
}

/**
 * `npm run consent:verify`: checks every consent record and the whole chain, names each bad row. Exit code 1 when there
 * is one, 2 when the rest is intact but HMACs could not be checked.
 */
await withDatabase(async ({ url, config }) => {
  const { db, close } = await openForReading(url, config.databaseReplicaUrl);
  try {
    const { records, seals, waiting, faults, unchecked, head, pruned } = await verifyConsent(
      db,
      (fault) => console.error(faultLine(fault)),
      (await withLocalSecrets(config)).secretKeys,
    );
    console.log(`${records} consent records, ${seals} sealed, ${waiting} waiting for their seal.`);
    if (pruned !== null)
      console.log(
        pruned.isTrusted
          ? `Seals up to ${pruned.seq} were removed after their time, with ${pruned.records} consent records; the last ones on ${pruned.at.toISOString()}.`
          : `Seals up to ${pruned.seq} are gone, and checkpoint ${pruned.seq} doesn't prove that their time was over.`,
      );
    if (head !== null) console.log(`The chain ends at seal ${head.seq}: ${head.sealHash}`);
    for (const { keyId, seals: count } of unchecked)
      console.error(
        keyId === null
          ? `${count} seals have no HMAC: they were made before there was a key.`
          : `HMACs of ${count} seals not checked: none of SECRET_KEYS opens the key ${keyId}.`,
      );
    const isUnchecked = unchecked.length > 0;
    if (faults > 0) console.log(`Faults: ${faults}.`);
    else if (isUnchecked) console.log('No faults, but some HMACs were not checked.');
    else console.log('Every row and the whole chain are intact.');
    if (faults > 0 || isUnchecked) process.exitCode = faults > 0 ? 1 : 2;
  } finally {
    await close();
  }
});
