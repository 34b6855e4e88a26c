import postgres from 'postgres';
import type { Log } from '../log.ts';

const command = 'npx patch-package --patch-dir scripts/patches';

export const driverPatchMissing = `The Postgres driver lacks the current patch: a lost database connection would end this process. Run "${command}" where the application is installed ("npm ci" does it, except with --ignore-scripts).`;

/** The oldest scripts/patches/postgres+*.patch that will do. Each contains its own number. */
const oldestPatch = 6;

export function isPatched(driver: object): boolean {
  return 'lostConnectionPatch' in driver && Number(driver.lostConnectionPatch) >= oldestPatch;
}

/** Throws in production, else warns, if the driver lacks its patch (docs/decisions/016-postgres-driver-patch.md). */
export function requireDriverPatch(
  { production }: { production: boolean },
  log: Log,
  driver: object = postgres,
): void {
  if (isPatched(driver)) return;
  if (production) throw new Error(driverPatchMissing);
  log.warn({ event: 'driver.unpatched' }, driverPatchMissing);
}
