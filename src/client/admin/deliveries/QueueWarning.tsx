import { Warning } from '#client/ui/Alert.tsx';
import type { QueueHealth } from '#shared/admin/adminDeliveries.ts';
import { queueCopy as copy } from './copy.ts';

const lateSeconds = 60;

/** What is wrong with the queue as a whole. The live region is always there, and its text has no figures: it is announced once. */
export function QueueWarning({ health }: { health: QueueHealth | undefined }) {
  const warning = health === undefined ? null : warningOf(health);
  return <div aria-live="polite">{warning === null ? null : <Warning {...warning} />}</div>;
}

function warningOf({
  workers,
  oldestDueSeconds,
  overHourlyLimit,
}: QueueHealth): { title: string; message: string } | null {
  if (workers === 0) return { title: copy.warning, message: copy.noWorkers };
  const isLate = oldestDueSeconds !== null && oldestDueSeconds > lateSeconds;
  if (isLate) return { title: copy.lateTitle, message: copy.late };
  return overHourlyLimit > 0 ? { title: copy.limitTitle, message: copy.limit } : null;
}
