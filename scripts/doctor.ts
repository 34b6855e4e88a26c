import { existsSync } from 'node:fs';
import postgres from 'postgres';
import { type Config, ConfigError, parseConfig } from '#server/config/config.ts';
import { withLocalSecrets } from '#server/config/localSecrets.ts';
import { readSecretFiles } from '#server/config/secretFiles.ts';
import { connect, type Database } from '#server/db/connect.ts';
import { version } from '#server/version.ts';
import { addressGaps } from './doctorAddresses.ts';
import { brandFindings, claimCount } from './doctorBrand.ts';
import {
  configGaps,
  driverGaps,
  type Gap,
  keyGaps,
  migrationGaps,
  providerGaps,
  readCollationGaps,
  roleGaps,
  signInGaps,
  workerGaps,
} from './doctorGaps.ts';
import { sectionLines } from './doctorReport.ts';
import { unusedFeatures } from './doctorSettings.ts';
import { withDatabase } from './withDatabase.ts';

/** The configuration, as commands read it; null: it is wrong, and `configGaps` lists how. */
function readConfig(env: NodeJS.ProcessEnv): Config | null {
  try {
    return parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

async function gapsInDatabase(db: Database, config: Config): Promise<Gap[]> {
  const pending = await migrationGaps(db);
  if (pending.length > 0) return pending;
  const { secretKeys } = await withLocalSecrets(config);
  return [
    ...(await keyGaps(db, secretKeys)),
    ...(await roleGaps(db)),
    ...(await readCollationGaps(db)),
    ...(await workerGaps(db, config)),
    ...(await signInGaps(db, config)),
    ...(await providerGaps(db)),
  ];
}

function unchecked(what: string): Gap {
  return { text: `${what} couldn't be checked.`, isBlocking: true };
}

/** What needs a configuration that can be read: addresses of services, and the database. */
async function gapsOutside(): Promise<Gap[]> {
  const config = readConfig(process.env);
  if (config === null) return [unchecked('The database and other services')];
  const gaps = await addressGaps(config);
  let inDatabase = [unchecked('The database')];
  await withDatabase(async ({ url }) => {
    const { db, close } = connect(url, { applicationName: 'doctor', max: 1 });
    try {
      inDatabase = await gapsInDatabase(db, config);
    } finally {
      await close();
    }
  });
  return [...gaps, ...inDatabase];
}

/**
 * `npm run doctor`: what stands between this installation and a public site, in sentences: first what concerns the
 * installation, then the brand. Exit code 1 when production would refuse to start or the database can't be used; what is
 * merely open doesn't fail it.
 */
async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  console.log(`Clinic lead platform ${version}`);
  const brand = brandFindings();
  const gaps = [
    ...configGaps(process.env),
    ...driverGaps(postgres),
    ...(await gapsOutside()),
    ...claimCount(brand),
  ];
  const notes = unusedFeatures(readSecretFiles(process.env).env);
  for (const line of sectionLines('Installation', { gaps, notes })) console.log(line);
  for (const line of sectionLines('Brand', brand)) console.log(line);
  if ([...gaps, ...brand.gaps].some(({ isBlocking }) => isBlocking)) process.exitCode = 1;
}

await main();
// A resolver that still hasn't answered would keep the process.
process.exit();
