import { connect } from '#server/db/connect.ts';
import { faultLine, verifyConsent } from '#server/features/leads/consentVerify.ts';
import { withDatabase } from './withDatabase.ts';

/** `npm run consent:verify`: checks every consent record and the whole chain, names each bad row. Exit code 1 when there is one. */
await withDatabase(async ({ url }) => {
  const { db, close } = connect(url, { applicationName: 'consent-verify', max: 1 });
  try {
    const { records, seals, waiting, faults, head } = await verifyConsent(db, (fault) =>
      console.error(faultLine(fault)),
    );
    console.log(`${records} consent records, ${seals} sealed, ${waiting} waiting for their seal.`);
    if (head !== null) console.log(`The chain ends at seal ${head.seq}: ${head.sealHash}`);
    console.log(faults === 0 ? 'Every row and the whole chain are intact.' : `Faults: ${faults}.`);
    if (faults > 0) process.exitCode = 1;
  } finally {
    await close();
  }
});
