import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { withDatabase } from './withDatabase.ts';

/**
 * `npm run db:migrate`, the release step: applies what is missing, grants the application's role its rights, and loads
 * the ZIP table when its edition changed.
 */
await withDatabase(async ({ url, config }) => {
  const { applied } = await prepareDatabase({
    url,
    directUrl: config.databaseDirectUrl,
    ownerUrl: config.databaseOwnerUrl,
  });
  console.log(applied === 0 ? 'The database is up to date.' : `Applied ${applied} migrations.`);
});
