import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';

export interface Tab<Key extends string = string> {
  key: Key;
  label: string;
}

interface TabsProps<Key extends string> {
  label: string;
  tabs: readonly Tab<Key>[];
  current: Key;
  onChoose: (key: Key) => void;
  /** The panel of the current tab. */
  children: ReactNode;
}

const steps: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Tabs as WAI-ARIA describes them: one stop for the Tab key, arrows go from one to the next and choose it. */
export function Tabs<Key extends string>({ label, tabs, current, onChoose, children }: TabsProps<Key>) {
  const list = useRef<HTMLDivElement>(null);
  const wasInPanel = useRef(false);
  // A link in one panel that leads to another goes with the panel: its focus comes to the tab it led to.
  useEffect(() => {
    if (wasInPanel.current && document.activeElement === document.body)
      list.current?.querySelector<HTMLElement>(`#tab-${current}`)?.focus();
    wasInPanel.current = false;
  }, [current]);
  const labels = tabs.map((tab) => tab.label).join();
  const shownFor = useRef('');
  // The bar scrolls sideways on narrow screens, also after a count has made a label wider; it never moves the page.
  useLayoutEffect(() => {
    // Until the next tab or count, it stays where staff have scrolled it.
    if (shownFor.current === `${current} ${labels}`) return;
    shownFor.current = `${current} ${labels}`;
    const bar = list.current;
    const tab = bar?.querySelector<HTMLElement>(`#tab-${current}`);
    if (bar === null || tab === null || tab === undefined) return;
    const [shown, own] = [bar.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (own.left < shown.left || own.right > shown.right)
      bar.scrollLeft += own.left + own.width / 2 - (shown.left + shown.width / 2);
  }, [current, labels]);
  function onKeyDown(event: KeyboardEvent): void {
    const step = steps[event.key];
    const index = tabs.findIndex(({ key }) => key === current);
    const next = step === undefined ? undefined : tabs[step(index, tabs.length)];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.key);
    list.current?.querySelector<HTMLElement>(`#tab-${next.key}`)?.focus();
  }
  return (
    <>
      <List ref={list} role="tablist" aria-label={label}>
        {tabs.map(({ key, label: name }) => (
          <TabButton
            key={key}
            type="button"
            role="tab"
            id={`tab-${key}`}
            aria-selected={key === current}
            aria-controls={key === current ? `panel-${key}` : undefined}
            tabIndex={key === current ? 0 : -1}
            onClick={() => onChoose(key)}
            onKeyDown={onKeyDown}
          >
            {name}
          </TabButton>
        ))}
      </List>
      <Panel
        role="tabpanel"
        id={`panel-${current}`}
        aria-labelledby={`tab-${current}`}
        onFocus={() => {
          wasInPanel.current = true;
        }}
      >
        {children}
      </Panel>
    </>
  );
}

const List = styled.div`
  display: flex;
  gap: 0.25rem;
  border-block-end: 1px solid ${token.line};
  overflow-x: auto;
  scrollbar-width: thin;
`;

const TabButton = styled.button`
  flex: none;
  min-block-size: 2.75rem;
  padding: 0.5rem 0.625rem;
  border: 0;
  border-block-end: 3px solid transparent;
  background: none;
  color: ${token.muted};
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  font-weight: 600;
  cursor: pointer;

  &:hover {
    color: ${token.primary};
  }

  &[aria-selected='true'] {
    border-color: ${token.secondary};
    color: ${token.primary};
  }

  &:focus-visible {
    outline-offset: -3px;
  }
`;

const Panel = styled.div`
  padding-block: 1.25rem 2rem;
`;
