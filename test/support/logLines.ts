import { pino } from 'pino';
import { type Log, safeError, traceFields } from '#server/log.ts';

interface LogLines {
  log: Log;
  /** The lines so far. */
  lines: () => { level: number; msg: string; [key: string]: unknown }[];
}

/** A log that keeps its lines in memory. */
export function buildLines(): LogLines {
  const lines: ReturnType<LogLines['lines']> = [];
  const log = pino(
    { level: 'trace', base: null, serializers: { err: safeError }, mixin: traceFields },
    { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  );
  return { log, lines: () => lines };
}
