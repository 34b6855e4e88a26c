import { migrate } from '#server/db/migrate.ts';
import { startFaultOf } from '#server/db/startFault.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { withDatabase } from './withDatabase.ts';

/** `npm run db:migrate`, the release step: applies what is missing, and the ZIP table when its edition changed. */
await withDatabase(async ({ url }) => {
  const { applied } = await migrate(url, { zipTable: loadZipTable() }).catch((error: unknown) => {
    throw startFaultOf(error, url);
  });
  console.log(applied === 0 ? 'The database is up to date.' : `Applied ${applied} migrations.`);
});
