/**
 * The brand's own colours; everything else is the same for every brand. White text stands on all but the last two: contrast on white is
 * 12.4:1 for the primary, 7.1:1 for the secondary and 4.2:1 for the accent, which carries large text and shapes alone.
 */
export const colours = {
  primary: '#4b157a',
  secondary: '#7928ca',
  accent: '#b24ae0',
  /** Ground of every other section. */
  tint: '#f7f4fb',
  /** Fine lines on white. */
  line: '#e4dcee',
} as const;
