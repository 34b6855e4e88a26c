import { lt, sql } from 'drizzle-orm';
import type { FormStep, PageFormKey } from '#shared/leads/leadForms.ts';
import { createLocalLimiter } from '#server/security/localLimiter.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { formStarts, formSteps } from '../../db/schema/index.ts';
import { type FirstVisit, otherCampaigns } from './firstPage.ts';

/** People behind one address; a script that reports more would make the figures its own. */
const reportLimits = { points: 30, windowSeconds: 60 };

/** Campaigns that are counted apart on one day. Anyone can make up names, and each is a row. */
const campaignsMax = 200;

/**
 * Counts in memory, so the busiest form updates once per `store`. If storing fails, the counts are kept and added to
 * later ones; a killed process loses them.
 */
function createCounts<Row extends { count: number }>(insert: (rows: Row[]) => Promise<unknown>) {
  let waiting = new Map<string, Row>();

  function add(row: Row): void {
    const { count, ...counted } = row;
    const key = Object.values(counted).join('\n');
    const known = waiting.get(key);
    waiting.set(key, known === undefined ? row : { ...row, count: known.count + count });
  }

  return {
    add,
    async store(): Promise<void> {
      if (waiting.size === 0) return;
      // In one order in every process, so that two of them never wait for each other.
      const rows = [...waiting].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, counted]) => counted);
      waiting = new Map();
      try {
        await insert(rows);
      } catch (error) {
        rows.forEach((row) => add(row));
        throw error;
      }
    },
  };
}

/** Counts the steps of lead forms, and the visits in which they were started. */
export function createFormStepCounter({ db, now }: { db: Database; now: () => Date }) {
  const reports = createLocalLimiter(reportLimits);
  const steps = createCounts<typeof formSteps.$inferInsert>((rows) =>
    db
      .insert(formSteps)
      .values(rows)
      .onConflictDoUpdate({
        target: [formSteps.day, formSteps.form, formSteps.step],
        set: { count: sql`${formSteps.count} + excluded.count` },
      }),
  );
  const starts = createCounts<typeof formStarts.$inferInsert>((rows) =>
    db
      .insert(formStarts)
      .values(rows)
      .onConflictDoUpdate({
        target: [formStarts.day, formStarts.form, formStarts.page, formStarts.campaign],
        set: { count: sql`${formStarts.count} + excluded.count` },
      }),
  );
  let campaigns: { day: string; names: Set<string> } = { day: '', names: new Set() };

  const today = (): string => now().toISOString().slice(0, 10);

  function limitCampaign(day: string, campaign: string): string {
    if (campaigns.day !== day) campaigns = { day, names: new Set(['']) };
    if (!campaigns.names.has(campaign) && campaigns.names.size > campaignsMax) return otherCampaigns;
    campaigns.names.add(campaign);
    return campaign;
  }

  /** Counts a step on today's UTC day. */
  function count(form: PageFormKey, step: FormStep): void {
    steps.add({ day: today(), form, step, count: 1 });
  }

  return {
    count,
    /** Counts that a form was started, with the visit's first page and campaign. */
    countStart(form: PageFormKey, { page, campaign }: FirstVisit): void {
      const day = today();
      count(form, 'started');
      starts.add({ day, form, page, campaign: limitCampaign(day, campaign), count: 1 });
    },
    /** Counts a step that a browser reports, at most thirty times a minute for its network. */
    async countReported(ip: string, form: PageFormKey, step: FormStep): Promise<void> {
      if ((await reports.take(ip)) === null) count(form, step);
    },
    /** Adds what was counted since the last call to the tables. What fails is kept for the next call. */
    async store(): Promise<void> {
      await steps.store();
      await starts.store();
    },
  };
}

export type FormStepCounter = ReturnType<typeof createFormStepCounter>;

/** Deletes the counts of days before a time. Returns how many it deleted. */
export async function purgeFormSteps(db: Queryable, before: Date): Promise<number> {
  const day = before.toISOString().slice(0, 10);
  const steps = await db.delete(formSteps).where(lt(formSteps.day, day));
  const starts = await db.delete(formStarts).where(lt(formStarts.day, day));
  return steps.count + starts.count;
}
