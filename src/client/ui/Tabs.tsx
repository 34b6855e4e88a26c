import {
  type ComponentType,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { styled } from 'styled-components';
import { Ellipsis } from './Icon.tsx';
import { Above, Count, Group, GroupLabel, List, More, Side, TabButton } from './tabParts.ts';

interface Tab<Key extends string = string> {
  key: Key;
  label: string;
  /** After the label: what it counts. */
  count?: string | undefined;
  /** Needs attention. */
  isUrgent?: boolean;
  /** In the bar of narrow screens. */
  Icon?: ComponentType;
}

export interface TabGroup<Key extends string = string> {
  /** Above its tabs, for the eye only. Null: there is only one, which says it. */
  label: string | null;
  tabs: readonly Tab<Key>[];
  /** Narrow screens show it above the bar, after "More". */
  isFolded?: boolean;
}

interface TabListProps<Key extends string> {
  label: string;
  moreLabel: string;
  groups: readonly TabGroup<Key>[];
  current: Key;
  onChoose: (key: Key) => void;
  /** Above the tabs, where they are at the side. */
  children?: ReactNode;
}

/** As in `media.desktop`. */
const wide = '(min-width: 64em)';

const steps: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => (index + 1) % count,
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowUp: (index, count) => (index + count - 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

function findTab(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`#tab-${key}`);
}

/**
 * Tabs as WAI-ARIA describes them: one stop for the Tab key, arrows go from one to the next and choose it. In groups at
 * the side; on narrow screens a bar at the bottom.
 */
export function TabList<Key extends string>(props: TabListProps<Key>) {
  const { label, moreLabel, groups, current, onChoose, children } = props;
  const isWide = useSyncExternalStore(watchWidth, readWidth, () => true);
  const more = useRef<HTMLButtonElement>(null);
  const [isUnfolded, setIsUnfolded] = useState(false);
  const wanted = useRef<Key>(null);
  const tabs = groups.flatMap((group) =>
    group.tabs.map((tab) => ({ ...tab, isFolded: group.isFolded === true })),
  );
  const isHidden = !isWide && !isUnfolded && tabs.some(({ key, isFolded }) => key === current && isFolded);
  // The stop of the Tab key: never a tab that is folded away.
  const stop = isHidden ? tabs[0]?.key : current;
  useLayoutEffect(() => {
    if (wanted.current !== null) findTab(wanted.current)?.focus();
    wanted.current = null;
  });
  // A link in one panel that leads to another goes with the panel: its focus comes to what it led to.
  const shown = useRef(current);
  useEffect(() => {
    if (shown.current === current) return;
    shown.current = current;
    if (document.activeElement !== document.body || !wasInPanel) return;
    wasInPanel = false;
    focusPanel();
  });

  function fold(): void {
    if (!isUnfolded) return;
    setIsUnfolded(false);
    more.current?.focus();
  }
  function onKeyDown(event: KeyboardEvent): void {
    // Alt and an arrow is the browser's Back.
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const step = steps[event.key];
    if (event.key === 'Escape') fold();
    const index = tabs.findIndex(({ key }) => key === stop);
    const next = step === undefined ? undefined : tabs[step(index, tabs.length)];
    if (next === undefined) return;
    event.preventDefault();
    // Once it is shown.
    wanted.current = next.key;
    setIsUnfolded(!isWide && next.isFolded);
    onChoose(next.key);
  }
  return (
    <Side
      data-tab-bar=""
      onBlur={({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setIsUnfolded(false);
      }}
    >
      <Above>{children}</Above>
      <List role="tablist" aria-label={label} aria-orientation={isWide ? 'vertical' : undefined}>
        {groups.map((group) => (
          <Group key={group.tabs[0]?.key} data-folded={group.isFolded === true ? !isUnfolded : undefined}>
            {group.label === null ? null : <GroupLabel aria-hidden="true">{group.label}</GroupLabel>}
            {group.tabs.map((tab) => (
              <TabButton
                key={tab.key}
                type="button"
                role="tab"
                id={`tab-${tab.key}`}
                aria-selected={tab.key === current}
                aria-controls={tab.key === current ? `panel-${tab.key}` : undefined}
                tabIndex={tab.key === stop ? 0 : -1}
                onClick={() => {
                  fold();
                  onChoose(tab.key);
                }}
                onKeyDown={onKeyDown}
              >
                {tab.Icon === undefined ? null : <tab.Icon />}
                <span>
                  {tab.label}
                  {tab.count === undefined ? null : (
                    <Count data-urgent={tab.isUrgent === true ? '' : undefined}> {tab.count}</Count>
                  )}
                </span>
              </TabButton>
            ))}
          </Group>
        ))}
      </List>
      <More
        ref={more}
        type="button"
        aria-expanded={isUnfolded}
        data-current={isHidden || undefined}
        onClick={() => {
          const folded = tabs.filter(({ isFolded }) => isFolded);
          wanted.current = isUnfolded
            ? null
            : ((folded.find(({ key }) => key === current) ?? folded[0])?.key ?? null);
          setIsUnfolded(!isUnfolded);
        }}
      >
        <Ellipsis />
        {moreLabel}
      </More>
    </Side>
  );
}

/** Whether the focus was last in the panel. */
let wasInPanel = false;

/** The id of a tab's content. */
export function panelId(key: string): string {
  return `panel-${key}`;
}

/** Moves the focus to the content of the current tab, which takes none by itself: a press inside must not focus it. */
export function focusPanel(options?: FocusOptions): void {
  const panel = document.querySelector<HTMLElement>('[role=tabpanel]');
  if (panel === null) return;
  panel.tabIndex = -1;
  panel.addEventListener('blur', () => panel.removeAttribute('tabindex'), { once: true });
  panel.focus(options);
}

/** The content of the current tab. */
export function TabPanel({ current, children }: { current: string; children: ReactNode }) {
  return (
    <Panel
      role="tabpanel"
      id={panelId(current)}
      aria-labelledby={`tab-${current}`}
      onFocus={() => {
        wasInPanel = true;
      }}
    >
      {children}
    </Panel>
  );
}

function watchWidth(onChange: () => void): () => void {
  const query = matchMedia(wide);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

function readWidth(): boolean {
  return matchMedia(wide).matches;
}

const Panel = styled.div`
  min-inline-size: 0;

  &:focus-visible {
    outline-offset: 2px;
  }
`;
