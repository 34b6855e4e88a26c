import { lt, sql } from 'drizzle-orm';
import type { FormStep, PageFormKey } from '#shared/leads/leadForms.ts';
import { createLocalLimiter } from '#server/security/localLimiter.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { formSteps } from '../../db/schema/index.ts';

/** People behind one address; a script that reports more would make the figures its own. */
const reportLimits = { points: 30, windowSeconds: 60 };

interface StepCount {
  day: string;
  form: PageFormKey;
  step: FormStep;
  count: number;
}

/** Counts lead form steps in memory, so the busiest form updates once per `store`. A killed process loses the rest. */
export function createFormStepCounter({ db, now }: { db: Database; now: () => Date }) {
  let waiting = new Map<string, StepCount>();
  const reports = createLocalLimiter(reportLimits);

  function add(step: StepCount): void {
    const key = `${step.day} ${step.form} ${step.step}`;
    const counted = waiting.get(key);
    if (counted === undefined) waiting.set(key, step);
    else counted.count += step.count;
  }

  /** Counts a step in memory, on today's UTC day. */
  function count(form: PageFormKey, step: FormStep): void {
    add({ day: now().toISOString().slice(0, 10), form, step, count: 1 });
  }

  return {
    count,
    /** The same for a step that a browser reports, at most thirty a minute of its network. */
    async countReported(ip: string, form: PageFormKey, step: FormStep): Promise<void> {
      if ((await reports.take(ip)) === null) count(form, step);
    },
    /** Adds what was counted since the last call to the table. If that fails, the counts are kept for the next call. */
    async store(): Promise<void> {
      if (waiting.size === 0) return;
      // In one order in every process, so that two of them never wait for each other.
      const rows = [...waiting].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, counted]) => counted);
      waiting = new Map();
      try {
        await db
          .insert(formSteps)
          .values(rows)
          .onConflictDoUpdate({
            target: [formSteps.day, formSteps.form, formSteps.step],
            set: { count: sql`${formSteps.count} + excluded.count` },
          });
      } catch (error) {
        rows.forEach(add);
        throw error;
      }
    },
  };
}

export type FormStepCounter = ReturnType<typeof createFormStepCounter>;

/** Deletes the counts of days before a time. At most a dozen rows a day. Returns how many it deleted. */
export async function purgeFormSteps(db: Queryable, before: Date): Promise<number> {
  return (await db.delete(formSteps).where(lt(formSteps.day, before.toISOString().slice(0, 10)))).count;
}
