import { commaList } from './kinds.ts';

interface RetentionRule {
  /** Null: kept forever. */
  defaultDays: number | null;
  /** No shorter period is accepted. */
  floorDays: number;
}

/** What is removed by age, in days: default and minimum. See background/retention.ts and docs/retention.md. */
export const retentionRules = {
  /**
   * Quarantined leads, applications and problem reports that nobody released or answered. Never those that are
   * `over-limit`.
   */
  junk: { defaultDays: 90, floorDays: 7 },
  /**
   * Leads, unless something waits. For ninety days, they are matched again and the links of their first messages work.
   * A link in a later message, to another provider, ends with the lead.
   */
  leads: { defaultDays: null, floorDays: 90 },
  /** Attempts of finished deliveries. The default covers the longest period of the insights. */
  'delivery-attempts': { defaultDays: 400, floorDays: 30 },
  /** Webhook events with their deliveries. An endpoint's retries end before the floor. */
  events: { defaultDays: 30, floorDays: 7 },
  /** Providers' applications that were accepted or declined. */
  applications: { defaultDays: 730, floorDays: 30 },
  /** Addresses that no provider has. */
  'geocoded-addresses': { defaultDays: 365, floorDays: 30 },
  /** Runs of the provider sync with their rows, except the newest successful ones. */
  'sync-runs': { defaultDays: 90, floorDays: 7 },
  /** Tasks and problem reports that staff have done. */
  'staff-tasks': { defaultDays: 365, floorDays: 30 },
  /** Counts of form steps. The floor is the longest period of the insights. */
  'form-steps': { defaultDays: 1095, floorDays: 366 },
  /** Entries of the audit log. Removed only by `npm run retention:prune -- audit-log`. */
  'audit-log': { defaultDays: null, floorDays: 365 },
} as const satisfies Record<string, RetentionRule>;

export type RetentionName = keyof typeof retentionRules;
/** Days by name; null: kept forever. */
export type Retention = Readonly<Record<RetentionName, number | null>>;

/** A century. */
const daysMax = 36_500;

export const retentionNames = Object.keys(retentionRules).filter(
  (name): name is RetentionName => name in retentionRules,
);

export const defaultRetention: Retention = Object.fromEntries(
  retentionNames.map((name) => [name, retentionRules[name].defaultDays]),
) as Record<RetentionName, number | null>;

/** What is wrong with a pair, or null. */
function findFault(name: RetentionName | undefined, days: string): string | null {
  if (name === undefined) return `has no known name; the names are ${retentionNames.join(', ')}`;
  if (days === 'off') return null;
  const { floorDays } = retentionRules[name];
  return /^\d{1,5}$/.test(days) && Number(days) >= floorDays && Number(days) <= daysMax
    ? null
    : `must be ${floorDays} to ${daysMax} days, or off`;
}

/** `junk=30,leads=730,events=off`: days by name, over the defaults. */
export const retention = commaList.transform((pairs, ctx): Retention => {
  const given = new Map<RetentionName, number | null>();
  for (const pair of pairs) {
    const [, word = '', days = ''] = /^([\w-]+)\s*=\s*(\w+)$/.exec(pair) ?? [];
    const name = retentionNames.find((known) => known === word);
    const fault =
      word === ''
        ? 'is not a name and its days, such as junk=90 or leads=off'
        : name !== undefined && given.has(name)
          ? 'names a period twice'
          : findFault(name, days);
    if (fault !== null) ctx.addIssue({ code: 'custom', message: `"${pair}" ${fault}` });
    else if (name !== undefined) given.set(name, days === 'off' ? null : Number(days));
  }
  return { ...defaultRetention, ...Object.fromEntries(given) };
});
