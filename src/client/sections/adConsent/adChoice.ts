export type AdChoice = 'accepted' | 'declined';

const key = 'ads.choice';
/** Used if storage is blocked (private windows). */
let unstored: AdChoice | null = null;

/** What the visitor chose in this browser, on this site; null before that. */
export function readAdChoice(): AdChoice | null {
  try {
    const stored = localStorage.getItem(key);
    return stored === 'accepted' || stored === 'declined' ? stored : unstored;
  } catch {
    return unstored;
  }
}

export function keepAdChoice(choice: AdChoice): void {
  unstored = choice;
  try {
    localStorage.setItem(key, choice);
  } catch {
    // Kept in memory until the page closes.
  }
}
