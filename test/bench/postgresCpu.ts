import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface ProcessTimes {
  parent: number;
  /** Own CPU time, and that of children that have ended, in milliseconds. */
  cpuMs: number;
}

/** proc(5): fields 4, 14 to 17 of stat, in ticks of a hundredth of a second. Null for a process that has ended. */
function listTimes(pid: number): ProcessTimes | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), cpuMs: ticks * 10 };
  } catch {
    return null;
  }
}

/** CPU time of a Postgres server so far, all of its processes, in milliseconds. Linux only. */
export function postgresCpuMs(dataDir: string): number {
  const postmaster = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => listTimes(Number(name)))
    .filter((times) => times?.parent === postmaster);
  return [listTimes(postmaster), ...children].reduce((sum, times) => sum + (times?.cpuMs ?? 0), 0);
}
