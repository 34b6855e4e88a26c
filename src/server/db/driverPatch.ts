import postgres from 'postgres';
import type { Log } from '../log.ts';

const command = 'npx patch-package --patch-dir scripts/patches';

/** For the operator. */
export const driverPatchMissing = `The Postgres driver lacks the current patch: a lost database connection would end this process. Run "${command}" where the application is installed ("npm ci" does it, except with --ignore-scripts).`;

/** Raise it, in both builds of the driver too, with each change of the patch. */
const patchNumber = 2;

/** Whether a copy of the driver has the current scripts/patches/postgres+*.patch applied; an older one doesn't count. Both builds carry its number. */
export function isPatched(driver: object): boolean {
  return 'lostConnectionPatch' in driver && driver.lostConnectionPatch === patchNumber;
}

/** Throws a sentence for the operator in production, and warns elsewhere, when the driver was installed without its patch. */
export function requireDriverPatch(
  { production }: { production: boolean },
  log: Log,
  driver: object = postgres,
): void {
  if (isPatched(driver)) return;
  if (production) throw new Error(driverPatchMissing);
  log.warn(driverPatchMissing);
}
