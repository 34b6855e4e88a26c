/** A share of successes, with its 95 % interval. */
export interface Share {
  share: number;
  low: number;
  high: number;
}

/** Two-sided, at 95 %. */
const z = 1.959964;
/** For a power of 80 %. */
const zPower = 0.841621;

/**
 * The Wilson score interval: unlike `p ± 1.96 s`, right for few trials and for shares near 0 and 1. Null without
 * trials, or with more successes than trials: then the two weren't counted of the same.
 */
export function estimateShare(successes: number, trials: number): Share | null {
  if (trials === 0 || successes > trials) return null;
  const share = successes / trials;
  const center = share + z ** 2 / (2 * trials);
  const reach = z * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2));
  const scale = 1 + z ** 2 / trials;
  return { share, low: Math.max(0, (center - reach) / scale), high: Math.min(1, (center + reach) / scale) };
}

/** Newcombe's interval for the difference of two shares, from their Wilson intervals. */
function differs(one: Share, other: Share): boolean {
  const difference = one.share - other.share;
  const below = Math.hypot(one.share - one.low, other.high - other.share);
  const above = Math.hypot(one.high - one.share, other.share - other.low);
  return difference - below > 0 || difference + above < 0;
}

/** Trials of each of two groups that separate such shares at 95 % with a power of 80 % (two-proportion formula). */
export function neededTrials(one: number, other: number): number {
  const mean = (one + other) / 2;
  const spread =
    z * Math.sqrt(2 * mean * (1 - mean)) + zPower * Math.sqrt(one * (1 - one) + other * (1 - other));
  return Math.ceil((spread / (one - other)) ** 2);
}

export interface Group {
  successes: number;
  trials: number;
}

export type Comparison =
  { verdict: 'better' | 'worse' } | { verdict: 'open'; neededSuccesses: number | null } | null;

/**
 * Whether a group does better or worse than another. `open`: not known yet, and about how many more successes both
 * together need until it is; null if their shares are equal. Null if one of them has no share.
 */
export function compareShares(group: Group, other: Group): Comparison {
  const [one, two] = [
    estimateShare(group.successes, group.trials),
    estimateShare(other.successes, other.trials),
  ];
  if (one === null || two === null) return null;
  if (differs(one, two)) return { verdict: one.share > two.share ? 'better' : 'worse' };
  if (one.share === two.share) return { verdict: 'open', neededSuccesses: null };
  const needed = neededTrials(one.share, two.share);
  const missing = (trials: number, share: number): number => Math.max(0, needed - trials) * share;
  const sum = missing(group.trials, one.share) + missing(other.trials, two.share);
  return { verdict: 'open', neededSuccesses: Math.max(1, Math.ceil(sum)) };
}
