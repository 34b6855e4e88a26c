import { connect } from '#server/db/connect.ts';
import { migrate } from '#server/db/migrate.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { withDatabase } from './withDatabase.ts';

/** Every schema the product makes; others in the same database are left alone. */
const schemas = ['public', 'drizzle'] as const;

/** `npm run db:reset`: drops everything, leads and consent evidence included, and begins anew. In production only with `--yes`. */
await withDatabase(async ({ url, config }) => {
  if (config.production && !process.argv.includes('--yes')) {
    throw new Error(
      'This deletes every lead and its consent evidence. In production say: npm run db:reset -- --yes',
    );
  }
  const connection = connect(url, { applicationName: 'clinic-leads-reset', max: 1 });
  try {
    await connection.sql.begin(async (tx) => {
      // A server that is running holds its tables for moments only; one that doesn't let go is named by the error.
      await tx`set local lock_timeout = '10s'`;
      for (const schema of schemas) await tx`drop schema if exists ${tx(schema)} cascade`;
      await tx`create schema public`;
      await tx`grant usage on schema public to public`;
    });
    const { applied } = await migrate(url, { zipTable: loadZipTable() });
    // Dropping tells nobody: a server that is running would go on showing the clinics that were there.
    await connection.sql`select pg_notify('providers_changed', '*')`;
    console.log(`Dropped everything and applied ${applied} migrations.`);
    if (config.sampleData) {
      const { seedSampleData } = await import('#test/support/sampleProviders.ts');
      console.log(`Added ${(await seedSampleData(connection.db)).inserted} sample clinics.`);
    }
  } finally {
    await connection.close();
  }
});
