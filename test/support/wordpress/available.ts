import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian's package keeps WordPress. */
export const wordPressFolder = '/usr/share/wordpress';

const programs = ['mariadbd', 'mariadb-install-db', 'php'];

/**
 * Whether this machine can bring a WordPress up. Without one its tests are skipped and the run says why; throws instead
 * where REQUIRE_WORDPRESS is set, as it is in .ci/run.
 */
export function wordPressAvailable(): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter).concat('/usr/sbin', '/usr/bin');
  const missing = programs.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  if (!existsSync(join(wordPressFolder, 'wp-settings.php'))) missing.push(wordPressFolder);
  if (missing.length === 0) return true;
  const sentence = `No WordPress to test against: ${missing.join(', ')} missing (Debian: apt-get install wordpress php-cli php-mysql mariadb-server).`;
  if ((process.env['REQUIRE_WORDPRESS'] ?? '') !== '') throw new Error(sentence);
  process.stderr.write(`${sentence} Its tests are skipped.\n`);
  return false;
}
