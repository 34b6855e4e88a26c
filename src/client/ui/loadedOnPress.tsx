import {
  cloneElement,
  type ComponentType,
  type HTMLAttributes,
  type ReactElement,
  type Ref,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import { showWhenLoaded } from './deferred.tsx';

/** A button that opens something. */
export type PressedButton = ReactElement<HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLButtonElement> }>;

const loads: (() => Promise<unknown>)[] = [];

/** Loads the code of all panels in advance. */
export function loadPanels(): void {
  for (const load of loads) void load();
}

interface Part<Props> {
  loaded: ComponentType<Props> | null;
  /** Null if loading fails; the next call tries again. */
  loadOnce: () => Promise<ComponentType<Props> | null>;
}

function loadInAdvance<Props>(load: () => Promise<ComponentType<Props>>): Part<Props> {
  const part: Part<Props> = {
    loaded: null,
    loadOnce: async () => {
      try {
        part.loaded ??= await load();
      } catch {
        return null;
      }
      return part.loaded;
    },
  };
  loads.push(part.loadOnce);
  return part;
}

/** In place of what opens while its code is loaded: single keys do nothing on the page (`findTopLayer`). */
export const Opening = (): ReactElement => <span data-overlay="" hidden />;

/** A component whose code is loaded when it is first rendered, if not before. If that fails, it closes. */
export function loadedInAdvance<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const part = loadInAdvance(load);
  return function LoadedInAdvance(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props> | null>(() => part.loaded);
    const show = useEffectEvent((found: ComponentType<Props> | null) => {
      if (found === null) props.onClose();
      else setLoaded(() => found);
    });
    useEffect(() => (Loaded === null ? showWhenLoaded(part.loadOnce(), show) : undefined), [Loaded]);
    return Loaded === null ? <Opening /> : <Loaded {...props} />;
  };
}

/**
 * A button with a panel whose code is loaded when the pointer or the focus is on the button, at the latest by a press.
 * Until then it is a plain button. If loading fails, the next press tries again.
 */
export function loadedOnPress<Props extends { trigger: PressedButton }>(
  popup: 'menu' | 'dialog',
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const part = loadInAdvance(load);
  return function LoadedOnPress(props: Props) {
    const [Panel, setPanel] = useState<ComponentType<Props> | null>(() => part.loaded);
    const [isPressed, setIsPressed] = useState(false);
    const button = useRef<HTMLButtonElement>(null);
    useEffect(() => {
      if (!isPressed) return;
      // The panel's own button has replaced the plain one.
      button.current?.focus({ preventScroll: true });
      button.current?.click();
    }, [isPressed]);
    async function press(): Promise<void> {
      const found = await part.loadOnce();
      if (found === null) return;
      setPanel(() => found);
      setIsPressed(true);
    }
    if (Panel !== null) return <Panel {...props} trigger={cloneElement(props.trigger, { ref: button })} />;
    return cloneElement(props.trigger, {
      'aria-haspopup': popup,
      'aria-expanded': false,
      onPointerEnter: () => void part.loadOnce(),
      onFocus: () => void part.loadOnce(),
      onClick: () => void press(),
    });
  };
}
