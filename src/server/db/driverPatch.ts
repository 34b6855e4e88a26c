import postgres from 'postgres';
import type { Log } from '../log.ts';

const command = 'npx patch-package --patch-dir scripts/patches';

/** For the operator. */
export const driverPatchMissing = `The Postgres driver lacks the current patch: a lost database connection would end this process. Run "${command}" where the application is installed ("npm ci" does it, except with --ignore-scripts).`;

/** Increase it with each change of the patch, also in both builds of the driver. */
const patchNumber = 6;

/**
 * Whether the driver has the current scripts/patches/postgres+*.patch. An older one does not count. Both builds contain
 * its number.
 */
export function isPatched(driver: object): boolean {
  return 'lostConnectionPatch' in driver && driver.lostConnectionPatch === patchNumber;
}

/**
 * Throws a message for the operator in production, and warns elsewhere, if the driver was installed without its patch
 * (docs/decisions/016-postgres-driver-patch.md).
 */
export function requireDriverPatch(
  { production }: { production: boolean },
  log: Log,
  driver: object = postgres,
): void {
  if (isPatched(driver)) return;
  if (production) throw new Error(driverPatchMissing);
  log.warn({ event: 'driver.unpatched' }, driverPatchMissing);
}
