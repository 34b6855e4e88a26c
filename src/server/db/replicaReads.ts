import { AppError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Connection, Database } from './connect.ts';

export type ReplicaReads = ReturnType<typeof createReplicaReads>;

interface Options {
  primary: Database;
  replica: Pick<Connection, 'db' | 'health'> | null;
  log: Log;
}

/**
 * Reads that may be some seconds old, on the replica if there is one. The primary serves them while it doesn't answer,
 * and repeats reads that fail there: it may lag behind a migration, or cancel reads that block its replication.
 */
export function createReplicaReads({ primary, replica, log }: Options) {
  /** Null while the replica is known to be down, which its watchdog has logged. */
  const findReplica = (): Database | null =>
    replica === null || replica.health.state() === 'down' ? null : replica.db;

  /** Throws the errors of reads themselves, such as one that took too long. */
  function leaveReplica(error: unknown): void {
    if (error instanceof AppError) throw error;
    log.warn(
      { event: 'replica.read-failed', err: error },
      'a read failed on the replica and is repeated on the primary',
    );
  }

  /** Streams a result. Only a failure before the first part leads to the primary; a later one is thrown. */
  async function* stream<Part>(
    open: (db: Database) => AsyncGenerator<Part, void>,
  ): AsyncGenerator<Part, void> {
    const at = findReplica();
    let parts = open(at ?? primary);
    try {
      let first;
      try {
        first = await parts.next();
      } catch (error) {
        if (at === null) throw error;
        leaveReplica(error);
        parts = open(primary);
        first = await parts.next();
      }
      if (first.done === true) return;
      yield first.value;
      yield* parts;
    } finally {
      await parts.return();
    }
  }

  return {
    /** Runs a read, twice if it fails on the replica. Throws its error. */
    async read<Result>(read: (db: Database) => Promise<Result>): Promise<Result> {
      const at = findReplica();
      if (at === null) return read(primary);
      try {
        return await read(at);
      } catch (error) {
        leaveReplica(error);
        return read(primary);
      }
    },
    stream,
  };
}
