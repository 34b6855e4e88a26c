import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
const bytesMin = 4 * 2 ** 30;

/**
 * Where tests write what is thrown away with them: in memory where Linux offers plenty of it, as a copied database is
 * hundreds of small files, which a disk takes many times as long to make; else the system's folder for temporary files.
 * Programs may not be allowed to run from there.
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
