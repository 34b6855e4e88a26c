import { randomBytes } from 'node:crypto';

/**
 * Ends the name of every session of this process in pg_stat_activity: its id and a random part, since in containers every process may have
 * the id 1.
 */
export const processTag = `#${process.pid}-${randomBytes(3).toString('hex')}`;
