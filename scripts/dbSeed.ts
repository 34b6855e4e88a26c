import { connect, type Database } from '#server/db/connect.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { seedSampleData } from '#scripts/sampleData/sampleProviders.ts';
import { withDatabase } from './withDatabase.ts';

/** Fills an empty database with the sample providers; one that has providers is left as it is (`inserted` 0). */
export function seed(db: Database): Promise<{ inserted: number }> {
  return seedSampleData(db);
}

/** `npm run db:seed` */
async function main(): Promise<void> {
  await withDatabase(async ({ url, config }) => {
    const { databaseDirectUrl: directUrl, databaseOwnerUrl: ownerUrl } = config;
    await prepareDatabase({ url, directUrl, ownerUrl });
    const connection = connect(url, { applicationName: 'clinic-leads-seed', max: 2 });
    try {
      const { inserted } = await seed(connection.db);
      console.log(
        inserted === 0
          ? 'There are providers already; nothing was added.'
          : `Added ${inserted} sample providers.`,
      );
    } finally {
      await connection.close();
    }
  });
}

if (import.meta.main) await main();
