import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
const bytesMin = 4 * 2 ** 30;

/**
 * The folder for temporary files of tests: in memory if Linux has enough, because a copied database is hundreds of
 * small files, which a disk creates many times slower; otherwise the system's temporary folder. Programs may not be
 * executable there.
 */
export function scratchRoot(): string {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= bytesMin ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
