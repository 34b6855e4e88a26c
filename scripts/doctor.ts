import { existsSync } from 'node:fs';
import postgres from 'postgres';
import { type Config, ConfigError, parseConfig } from '#server/config/config.ts';
import { withLocalSecrets } from '#server/config/localSecrets.ts';
import { readSecretFiles } from '#server/config/secretFiles.ts';
import { connect, type Database } from '#server/db/connect.ts';
import { findAcceptances } from '#server/features/claims/claimAcceptances.ts';
import { listClaims } from '#server/features/claims/hiddenClaims.ts';
import { version } from '#server/version.ts';
import { claims } from '#shared/brand/claims.ts';
import { addressGaps, singleSignOnGaps } from './doctorAddresses.ts';
import { brandFindings } from './doctorBrand.ts';
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

interface DoctorResult {
  gaps: readonly Gap[];
  /** Null: the database couldn't be checked. */
  acceptances: Awaited<ReturnType<typeof findAcceptances>> | null;
  /** Ids of claims that an owner hides. */
  hidden: readonly string[];
}

async function checkDatabase(db: Database, config: Config): Promise<DoctorResult> {
  const pending = await migrationGaps(db);
  if (pending.length > 0) return { gaps: pending, acceptances: null, hidden: [] };
  const { secretKeys } = await withLocalSecrets(config);
  const gaps = [
    ...(await keyGaps(db, secretKeys)),
    ...(await roleGaps(db)),
    ...(await readCollationGaps(db)),
    ...(await workerGaps(db, config)),
    ...(await signInGaps(db, config)),
    ...(await providerGaps(db)),
  ];
  const hidden = (await listClaims(db)).filter((claim) => claim.hidden !== null).map(({ id }) => id);
  return { gaps, acceptances: await findAcceptances(db, claims), hidden };
}

function unchecked(what: string): DoctorResult {
  return {
    gaps: [{ text: `${what} couldn't be checked.`, isBlocking: true }],
    acceptances: null,
    hidden: [],
  };
}

/** What needs a configuration that can be read: addresses of services, and the database. */
async function checkOutside(): Promise<DoctorResult> {
  const config = readConfig(process.env);
  if (config === null) return unchecked('The database and other services');
  const addresses = [...(await addressGaps(config)), ...(await singleSignOnGaps(config))];
  let database = unchecked('The database');
  await withDatabase(async ({ url }) => {
    const { db, close } = connect(url, { applicationName: 'doctor', max: 1 });
    try {
      database = await checkDatabase(db, config);
    } finally {
      await close();
    }
  });
  return { ...database, gaps: [...addresses, ...database.gaps] };
}

/**
 * `npm run doctor`: what stands between this installation and a public site, in sentences: first what concerns the
 * installation, then the brand. Exit code 1 when production would refuse to start, the database can't be used, or, in
 * production, nobody answers for a claim; what is merely open doesn't fail it.
 */
async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  console.log(`Clinic lead platform ${version}`);
  const outside = await checkOutside();
  const { brand, installation } = brandFindings({
    claims,
    acceptances: outside.acceptances,
    hidden: outside.hidden,
    production: process.env['NODE_ENV'] === 'production',
  });
  const gaps = [...configGaps(process.env), ...driverGaps(postgres), ...outside.gaps, ...installation.gaps];
  const notes = [...unusedFeatures(readSecretFiles(process.env).env), ...installation.notes];
  for (const line of sectionLines('Installation', { gaps, notes })) console.log(line);
  for (const line of sectionLines('Brand', brand)) console.log(line);
  if ([...gaps, ...brand.gaps].some(({ isBlocking }) => isBlocking)) process.exitCode = 1;
}

await main();
