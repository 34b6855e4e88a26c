import { z } from 'zod';
import { type LeadFilter, leadFilter } from './adminLeads.ts';

/** The worklist's groups and their filters. A returned lead is unmatched too. */
export const worklistFilters = {
  clinic: { delivery: 'clinic' },
  crm: { status: 'failed' },
  unmatched: { match: 'unmatched', quarantined: false },
  overdue: { outcome: 'overdue' },
  overLimit: { overLimit: true },
  quarantined: { quarantined: true },
  returned: { match: 'unmatched', outcome: 'wrong-area' },
  phone: { task: 'phone-withdrawn' },
  mailbox: { task: 'mailbox-withdrawn' },
  replies: { task: 'reply-received' },
} as const satisfies Record<string, LeadFilter>;
export type WorklistGroup = keyof typeof worklistFilters;

/** Lists count their hits exactly up to this. Above it, the total is the least that there are. */
export const listCountMax = 100_000;
/** Each group is counted up to this; one more means "and more". */
export const worklistCountMax = 999;
/** Until when the leads to follow up are counted: the viewer's day. Left out, they aren't counted. */
export const worklistInput = leadFilter.pick({ followUpBy: true }).default({});
const worklistCount = z.number().int().nonnegative();
export const worklistOutput = z.object({
  clinic: worklistCount,
  crm: worklistCount,
  unmatched: worklistCount,
  overdue: worklistCount,
  overLimit: worklistCount,
  quarantined: worklistCount,
  returned: worklistCount,
  phone: worklistCount,
  mailbox: worklistCount,
  replies: worklistCount,
  followUp: worklistCount,
});
export type WorklistCounts = z.output<typeof worklistOutput>;
