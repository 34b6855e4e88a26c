import type { RefObject } from 'react';

interface Plan {
  /** Selectors in the table, the preferred one first. */
  targets: readonly string[];
  /** Moves the focus as soon as the target appears, instead of waiting until it is lost. */
  isMove: boolean;
  /** The request has been pending since the plan was made. */
  wasBusy: boolean;
}

/** Where the focus goes when the pressed button disappears with its row or its request. */
export interface RowFocus {
  /** Keeps the focus in the table until a request ends: the targets are selectors, the preferred one first. */
  keepIn: (targets: readonly string[]) => void;
  /** The same without a request. */
  returnTo: (targets: readonly string[]) => void;
  /** Moves the focus once the target appears. */
  moveTo: (target: string) => void;
  /** Call it after each render. Staff who have moved on keep their focus. */
  update: (isBusy: boolean) => void;
}

export function createRowFocus(table: RefObject<HTMLElement | null>): RowFocus {
  let plan: Plan | null = null;
  function update(isBusy: boolean): void {
    if (plan === null || table.current === null) return;
    const { targets, isMove } = plan;
    const active = document.activeElement;
    // A cell only keeps the place of its button.
    const isLost = active === null || active === document.body || active.matches(placeholder);
    const isOver = !isBusy && plan.wasBusy;
    plan.wasBusy ||= isBusy;
    if (!isLost && !table.current.contains(active) && active.closest('[data-toast]') === null) {
      plan = null;
      return;
    }
    const target = isMove || isLost ? firstIn(table.current, targets) : null;
    target?.focus();
    if (target === null && isLost && isOver) table.current.focus({ preventScroll: true });
    if (isOver || (isMove && target !== null)) plan = null;
  }
  return {
    keepIn: (targets) => {
      plan = { targets, isMove: false, wasBusy: false };
    },
    returnTo: (targets) => {
      plan = { targets, isMove: false, wasBusy: true };
    },
    moveTo: (target) => {
      plan = { targets: [target], isMove: true, wasBusy: false };
    },
    update,
  };
}

const placeholder = 'td[tabindex="-1"]';

function firstIn(table: HTMLElement, targets: readonly string[]): HTMLElement | null {
  for (const selector of targets) {
    const found = table.querySelector<HTMLElement>(selector);
    if (found !== null) return found;
  }
  return null;
}
