import type { Gap } from './doctorGaps.ts';

/** What a section of the report says. */
export interface Findings {
  gaps: readonly Gap[];
  /** What is as it was chosen, in sentences: no gap. */
  notes: readonly string[];
}

function listed(title: string, gaps: readonly Gap[]): string[] {
  return gaps.length === 0 ? [] : [`  ${title}`, ...gaps.map(({ text }) => `    - ${text}`)];
}

/** The lines of a section: what blocks production, what is open, then the notes. */
export function sectionLines(heading: string, { gaps, notes }: Findings): string[] {
  return [
    '',
    heading,
    ...listed(
      'In the way of production:',
      gaps.filter(({ isBlocking }) => isBlocking),
    ),
    ...listed(
      'Open:',
      gaps.filter(({ isBlocking }) => !isBlocking),
    ),
    ...(gaps.length === 0 ? ['  Nothing is open.'] : []),
    ...notes.map((text) => `  ${text}`),
  ];
}
