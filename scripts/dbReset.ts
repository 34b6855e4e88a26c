import { connect } from '#server/db/connect.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { withDatabase } from './withDatabase.ts';

/** Every schema the product makes; others in the same database are not touched. */
const schemas = ['public', 'drizzle'] as const;

/**
 * `npm run db:reset`: drops everything, leads and consent evidence included, and creates it again. In production only
 * with `--yes`.
 */
await withDatabase(async ({ url, config }) => {
  if (config.production && !process.argv.includes('--yes')) {
    throw new Error(
      'This deletes every lead and its consent evidence. In production say: npm run db:reset -- --yes',
    );
  }
  const { databaseDirectUrl: directUrl, databaseOwnerUrl: ownerUrl } = config;
  const connection = connect(ownerUrl ?? url, { applicationName: 'clinic-leads-reset', max: 1 });
  try {
    await connection.sql.begin(async (tx) => {
      // A running server locks its tables briefly; the error names one that doesn't release them.
      await tx`set local lock_timeout = '10s'`;
      for (const schema of schemas) await tx`drop schema if exists ${tx(schema)} cascade`;
      await tx`create schema public`;
      await tx`grant usage on schema public to public`;
    });
    const { applied } = await prepareDatabase({ url, directUrl, ownerUrl });
    // Dropping tables notifies nobody: a running server would keep showing the old providers.
    await connection.sql`select pg_notify('providers_changed', '*')`;
    console.log(`Dropped everything and applied ${applied} migrations.`);
    if (config.sampleData) {
      const { seedSampleData } = await import('#scripts/sampleData/sampleProviders.ts');
      console.log(`Added ${(await seedSampleData(connection.db)).inserted} sample providers.`);
    }
  } finally {
    await connection.close();
  }
});
