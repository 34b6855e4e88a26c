import { existsSync } from 'node:fs';
import postgres from 'postgres';
import { connect } from '#server/db/connect.ts';
import { withLocalSecrets } from '#server/config/localSecrets.ts';
import {
  brandGaps,
  configGaps,
  crmGaps,
  databaseGaps,
  driverGaps,
  type Gap,
  keyGaps,
  readCollationGaps,
  roleGaps,
} from './doctorGaps.ts';
import { version } from '#server/version.ts';
import { withDatabase } from './withDatabase.ts';

function tell(heading: string, gaps: readonly Gap[]): void {
  if (gaps.length === 0) return;
  console.log(`\n${heading}`);
  for (const { text } of gaps) console.log(`  - ${text}`);
}

/**
 * `npm run doctor`: what stands between this installation and a public site, in sentences. Exit code 1 when production
 * would refuse to start or the database can't be used; what is merely open (a logo not set, a claim without its study)
 * doesn't fail it.
 */
async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  console.log(`Clinic lead platform ${version}`);
  const gaps = [...configGaps(process.env), ...driverGaps(postgres), ...brandGaps()];
  await withDatabase(async ({ url, config }) => {
    const { secretKeys } = await withLocalSecrets(config);
    const { db, close } = connect(url, { applicationName: 'doctor', max: 1 });
    try {
      gaps.push(...(await crmGaps(config)), ...(await databaseGaps(db)), ...(await roleGaps(db)));
      gaps.push(...(await readCollationGaps(db)), ...(await keyGaps(db, secretKeys)));
    } finally {
      await close();
    }
  });
  const blocking = gaps.filter(({ isBlocking }) => isBlocking);
  tell('In the way of production:', blocking);
  tell(
    'Open:',
    gaps.filter(({ isBlocking }) => !isBlocking),
  );
  if (gaps.length === 0) console.log('Nothing is open.');
  if (blocking.length > 0) process.exitCode = 1;
}

await main();
