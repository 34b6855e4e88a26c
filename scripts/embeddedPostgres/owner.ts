import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { isAlive } from './postmaster.ts';

const record = z.object({
  /** 0: the last owner stopped the server and released it. */
  pid: z.number().int(),
  token: z.string(),
  port: z.number().int(),
});

/** Who stops the server and restarts it when it dies: one process at a time, named in a file beside the data. */
export interface Ownership {
  /** The port of the last start; null before the first one. */
  lastPort: () => Promise<number | null>;
  isMine: () => Promise<boolean>;
  /** Whether another owner's process is alive. */
  isTaken: () => Promise<boolean>;
  claim: (port: number) => Promise<void>;
  /** Keeps the port for the next start. Call it once the server is stopped. */
  release: () => Promise<void>;
}

export function ownershipIn(file: string): Ownership {
  // A process id is not enough: one process may start the server of a folder more than once.
  const token = randomUUID();

  async function read(): Promise<z.output<typeof record> | null> {
    try {
      return record.parse(JSON.parse(await readFile(file, 'utf8')));
    } catch {
      return null;
    }
  }

  /** By renaming, so that nobody reads half of it. */
  async function write(pid: number, port: number): Promise<void> {
    const temporary = `${file}.${token}`;
    await writeFile(temporary, `${JSON.stringify({ pid, token, port })}\n`, { mode: 0o600 });
    await rename(temporary, file);
  }

  return {
    lastPort: async () => (await read())?.port ?? null,
    isMine: async () => (await read())?.token === token,
    async isTaken() {
      const owner = await read();
      return owner !== null && owner.token !== token && owner.pid > 0 && isAlive(owner.pid);
    },
    claim: (port) => write(process.pid, port),
    async release() {
      const owner = await read();
      if (owner?.token === token) await write(0, owner.port);
    },
  };
}
