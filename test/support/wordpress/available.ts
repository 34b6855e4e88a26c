import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isPeerMissing } from '../peers.ts';

/** Where Debian's package keeps WordPress. */
export const wordPressFolder = '/usr/share/wordpress';

const programs = ['mariadbd', 'mariadb-install-db', 'php'];

/** Whether this machine can start a WordPress. */
export function wordPressAvailable(): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter).concat('/usr/sbin', '/usr/bin');
  const missing = programs.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
  if (!existsSync(join(wordPressFolder, 'wp-settings.php'))) missing.push(wordPressFolder);
  return !isPeerMissing(
    missing.length === 0,
    `No WordPress to test against: ${missing.join(', ')} missing (Debian: apt-get install wordpress php-cli php-mysql mariadb-server).`,
  );
}
