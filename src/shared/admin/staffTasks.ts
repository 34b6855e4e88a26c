import { z } from 'zod';
import { adminLead, type StaffTaskKind, staffTaskKinds } from './adminLeads.ts';

/**
 * `stop-phone`, `stop-email`: nobody contacts the phone number or email address anymore. `keep-serving`: nothing
 * changes, and what waited for the decision is delivered. `done`: staff did what the task asks for.
 */
export const taskDecisions = ['stop-phone', 'stop-email', 'keep-serving', 'done'] as const;
export type TaskDecision = (typeof taskDecisions)[number];

/** The decision that ends contact, by the kind of task; null: the task asks for something else, and ends as done. */
export const stopDecisions = {
  'phone-withdrawn': 'stop-phone',
  'reply-received': 'stop-email',
  'not-reached': null,
  'message-refused': null,
  'number-suppressed': null,
  'crm-held': null,
  'mailbox-withdrawn': 'stop-email',
} as const satisfies Record<StaffTaskKind, TaskDecision | null>;

/** What staff may decide about a task: to end contact or not, or only that it is done. */
export function allowsDecision(kind: StaffTaskKind, decision: TaskDecision): boolean {
  const stop = stopDecisions[kind];
  return stop === null ? decision === 'done' : decision === stop || decision === 'keep-serving';
}

/** Kinds whose open tasks of one phone number are one: anyone can send more leads with it. */
export const phoneTaskKinds = ['phone-withdrawn'] as const satisfies readonly StaffTaskKind[];

/** Tasks on a page, and leads of one task. More are counted. */
export const openTasksMax = 200;
export const taskLeadsMax = 20;

const id = z.number().int().positive();

export const staffTask = z
  .object({
    id: id.meta({ description: 'The task’s number' }),
    kind: z.enum(staffTaskKinds).meta({ description: 'What staff must decide' }),
    created_at: z.iso.datetime().meta({ description: 'When it was opened' }),
    lead: adminLead,
    leads: z.array(adminLead).meta({
      description: `All leads that it is about, oldest first, up to ${taskLeadsMax}: several only if they share a withdrawn phone number`,
    }),
    leadCount: z.number().int().positive().meta({ description: 'How many leads it is about' }),
  })
  .meta({ id: 'Task', description: 'An open task of staff about a lead' });
export type StaffTask = z.infer<typeof staffTask>;

export const taskListInput = z.object({
  cursor: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .meta({ description: 'From the `Link` header: the page after this task' }),
});

/** A page of open tasks, oldest first. */
export const taskListOutput = z.object({ tasks: z.array(staffTask) });

export const taskCompleteInput = z.object({
  id,
  decision: z.enum(taskDecisions).meta({ description: 'What staff decided' }),
});
export type TaskCompleteInput = z.infer<typeof taskCompleteInput>;
/** `leadIds`: the leads that nobody may contact because of this decision. */
export const taskCompleteOutput = z.object({ id, leadIds: z.array(id) });
