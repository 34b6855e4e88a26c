import { cloneElement } from 'react';
import type { MenuProps } from './MenuPanel.tsx';
import { loadedOnPress } from './loadedOnPress.tsx';

export type { MenuItem } from './MenuPanel.tsx';

const Panel = loadedOnPress('menu', async () => (await import('./MenuPanel.tsx')).MenuPanel);

/** A button with a menu, whose code is loaded when it is first needed. */
export function Menu(props: MenuProps) {
  return <Panel {...props} trigger={cloneElement(props.trigger, { 'aria-label': props.label })} />;
}
