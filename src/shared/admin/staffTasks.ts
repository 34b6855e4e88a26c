import { z } from 'zod';
import { adminLead } from './adminLeads.ts';

/**
 * Decisions that only staff can make about a lead. `phone-withdrawn`: somebody else with the same phone number withdrew
 * consent.
 */
export const staffTaskKinds = ['phone-withdrawn'] as const;

/** `stop-phone`: nobody contacts the phone number anymore. `keep-serving`: nothing changes. */
export const taskDecisions = ['stop-phone', 'keep-serving'] as const;
export type TaskDecision = (typeof taskDecisions)[number];

export const openTasksMax = 200;

const id = z.number().int().positive();

const staffTask = z.object({
  id,
  kind: z.enum(staffTaskKinds),
  created_at: z.iso.datetime(),
  lead: adminLead,
});
export type StaffTask = z.infer<typeof staffTask>;

/** Open tasks, oldest first. */
export const taskListOutput = z.object({ tasks: z.array(staffTask) });

export const taskCompleteInput = z.object({ id, decision: z.enum(taskDecisions) });
export type TaskCompleteInput = z.infer<typeof taskCompleteInput>;
/** `leadIds`: the leads that nobody may contact because of this decision. */
export const taskCompleteOutput = z.object({ id, leadIds: z.array(id) });
