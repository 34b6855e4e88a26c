import type { Shortcuts } from '#client/admin/kit/useShortcuts.ts';
import { nameLink } from './useLeadActions.ts';

function listRows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-leads] [data-lead]')];
}

function findFocused(rows: readonly HTMLElement[]): number {
  return rows.findIndex((row) => row.contains(document.activeElement));
}

/** Moves the focus to the name in the next or previous row; without a focused row, to the first or the last. */
function move(step: 1 | -1): void {
  const rows = listRows();
  const at = findFocused(rows);
  const row = at === -1 ? rows.at(step === 1 ? 0 : -1) : rows[at + step];
  row?.querySelector<HTMLElement>(nameLink)?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}

/** Presses a part of the focused row. */
function press(selector: string): void {
  const rows = listRows();
  rows[findFocused(rows)]?.querySelector<HTMLElement>(selector)?.click();
}

/** Opens the list of providers: for the selected leads, else for the focused row. */
function assign(): void {
  const several = document.querySelector<HTMLElement>('[data-bulk-assign] button:enabled');
  if (several === null) press('[data-cell=provider] button:enabled');
  else several.click();
}

/** Single keys for the rows. Enter opens the lead, as its name is a link. */
export const rowKeys = {
  j: () => move(1),
  k: () => move(-1),
  e: () => press('a[href^="mailto:"]'),
  a: assign,
  x: () => press('input[type=checkbox]:enabled'),
  X: () => document.querySelector<HTMLElement>('[data-leads] thead input[type=checkbox]:enabled')?.click(),
} satisfies Shortcuts;
