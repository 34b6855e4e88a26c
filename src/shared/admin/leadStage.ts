import { z } from 'zod';
import { dayMs, hourMs, minuteMs } from '../formats/time.ts';
import { counted } from '../formats/writing.ts';
import { leadStageNames } from '../leads/leadOutcomes.ts';

const at = z.iso.datetime().nullable();

/** How far a lead got with its present provider. */
export const leadStage = z.object({
  receivedAt: z.iso.datetime().meta({ description: 'When it was stored' }),
  sentAt: at.meta({
    description: 'When an email about it to its provider was first accepted. Null: not yet',
  }),
  reachedAt: at.meta({
    description:
      'When its provider reported Reached or Booked. Null: not yet, or another outcome replaced it',
  }),
  bookedAt: at.meta({
    description: 'When its provider reported Booked. Null: not yet, or another outcome replaced it',
  }),
  isBroken: z.boolean().meta({ description: 'As `clinicNotReached`' }),
  hasOutcome: z.boolean().meta({ description: 'Whether a provider reported any outcome' }),
});
export type LeadStage = z.infer<typeof leadStage>;

/** A provider has this long to report an outcome. */
export const outcomeDueMs = dayMs;

/** Whether the provider has the lead for more than 24 hours and reported nothing. */
export function isOutcomeLate({ sentAt, hasOutcome }: LeadStage, now: number): boolean {
  return sentAt !== null && !hasOutcome && now - Date.parse(sentAt) > outcomeDueMs;
}

const stageCopy = {
  received: leadStageNames.received,
  sent: leadStageNames.sent.toLowerCase(),
  reached: leadStageNames.reached.toLowerCase(),
  booked: leadStageNames.booked.toLowerCase(),
  after: (duration: string) => `after ${duration}`,
  soon: 'within a minute',
  not: (stage: string) => `not ${stage}`,
  none: 'no outcome yet',
  broken: 'not delivered to the clinic',
  late: (duration: string) => `no outcome for ${duration}`,
} as const;

/** '5 min', '3 h', '4 days'; null for less than a minute. */
function spanText(ms: number): string | null {
  if (ms < minuteMs) return null;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} min`;
  return ms < 2 * dayMs ? `${Math.floor(ms / hourMs)} h` : counted(Math.floor(ms / dayMs), 'day');
}

/**
 * A stage in words: 'Received 8:14 PM, sent 8:14 PM, reached after 3 h, not booked'. The time of another day has its
 * date. The default time zone is the viewer's.
 */
export function stageText(stage: LeadStage, now: number, timeZone?: string): string {
  const { receivedAt, sentAt, reachedAt, bookedAt, isBroken } = stage;
  const after = (iso: string): string => {
    const span = spanText(Date.parse(iso) - Date.parse(receivedAt));
    return span === null ? stageCopy.soon : stageCopy.after(span);
  };
  const words = [`${stageCopy.received} ${timeText(receivedAt, { beside: now, timeZone })}`];
  if (sentAt !== null)
    words.push(`${stageCopy.sent} ${timeText(sentAt, { beside: Date.parse(receivedAt), timeZone })}`);
  if (isBroken) words.push(stageCopy.broken);
  else if (sentAt === null) words.push(stageCopy.not(stageCopy.sent));
  if (reachedAt !== null && reachedAt !== bookedAt) words.push(`${stageCopy.reached} ${after(reachedAt)}`);
  if (bookedAt !== null) words.push(`${stageCopy.booked} ${after(bookedAt)}`);
  else if (reachedAt !== null) words.push(stageCopy.not(stageCopy.booked));
  else if (sentAt !== null) {
    const waited = spanText(now - Date.parse(sentAt));
    if (stage.hasOutcome) words.push(stageCopy.not(stageCopy.reached));
    else words.push(isOutcomeLate(stage, now) && waited !== null ? stageCopy.late(waited) : stageCopy.none);
  }
  return words.join(', ');
}

/** '8:14 PM', and 'Nov 24, 8:14 PM' if the other time is on another day. */
function timeText(
  iso: string,
  { beside, timeZone }: { beside: number; timeZone: string | undefined },
): string {
  const format = (options: Intl.DateTimeFormatOptions, ms: number): string =>
    new Intl.DateTimeFormat('en-US', timeZone === undefined ? options : { ...options, timeZone }).format(ms);
  const ms = Date.parse(iso);
  const day = { dateStyle: 'short' } as const;
  const clock = { hour: 'numeric', minute: '2-digit' } as const;
  return format(
    format(day, ms) === format(day, beside) ? clock : { month: 'short', day: 'numeric', ...clock },
    ms,
  );
}
