import { existsSync } from 'node:fs';
import { connect } from '#server/db/connect.ts';
import { startEmbedded } from '#server/db/embedded.ts';
import { parseConfig } from '#server/config.ts';
import { faultLine, verifyConsent } from '#server/features/leads/consentVerify.ts';
import { createLog } from '#server/log.ts';

/** Checks every consent record and the whole chain; names each bad row. Exit code 1 when there is one. */
async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const config = parseConfig(process.env);
  const embedded =
    config.databaseUrl === null
      ? await startEmbedded({ dataDir: config.dataDir, log: createLog('warn') })
      : null;
  const { db, close } = connect(embedded?.url ?? config.databaseUrl ?? '', {
    applicationName: 'consent-verify',
    max: 1,
  });
  try {
    const summary = await verifyConsent(db, (fault) => console.error(faultLine(fault)));
    console.log(
      `${summary.records} consent records, ${summary.seals} sealed, ${summary.waiting} waiting for their seal.`,
    );
    if (summary.head !== null)
      console.log(`The chain ends at seal ${summary.head.seq}: ${summary.head.sealHash}`);
    console.log(
      summary.faults === 0 ? 'Every row and the whole chain are intact.' : `${summary.faults} faults.`,
    );
    process.exitCode = summary.faults === 0 ? 0 : 1;
  } finally {
    await close();
    await embedded?.stop();
  }
}

await main();
