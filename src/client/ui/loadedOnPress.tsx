import {
  cloneElement,
  type ComponentType,
  type HTMLAttributes,
  type ReactElement,
  type Ref,
  useEffect,
  useRef,
  useState,
} from 'react';

/** A button that opens something. */
export type PressedButton = ReactElement<HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLButtonElement> }>;

const loads: (() => Promise<unknown>)[] = [];

/** Loads the code of all panels in advance. */
export function loadPanels(): void {
  for (const load of loads) void load();
}

/**
 * A button with a panel whose code is loaded when the pointer or the focus is on the button, at the latest by a press.
 * Until then it is a plain button. If loading fails, the next press tries again.
 */
export function loadedOnPress<Props extends { trigger: PressedButton }>(
  popup: 'menu' | 'dialog',
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  async function loadOnce(): Promise<ComponentType<Props> | null> {
    try {
      loaded ??= await load();
    } catch {
      return null;
    }
    return loaded;
  }
  loads.push(loadOnce);
  return function LoadedOnPress(props: Props) {
    const [Panel, setPanel] = useState<ComponentType<Props> | null>(() => loaded);
    const [isPressed, setIsPressed] = useState(false);
    const button = useRef<HTMLButtonElement>(null);
    useEffect(() => {
      if (!isPressed) return;
      // The panel's own button has replaced the plain one.
      button.current?.focus({ preventScroll: true });
      button.current?.click();
    }, [isPressed]);
    async function press(): Promise<void> {
      const found = await loadOnce();
      if (found === null) return;
      setPanel(() => found);
      setIsPressed(true);
    }
    if (Panel !== null) return <Panel {...props} trigger={cloneElement(props.trigger, { ref: button })} />;
    return cloneElement(props.trigger, {
      'aria-haspopup': popup,
      'aria-expanded': false,
      onPointerEnter: () => void loadOnce(),
      onFocus: () => void loadOnce(),
      onClick: () => void press(),
    });
  };
}
