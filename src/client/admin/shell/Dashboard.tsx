import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { styled } from 'styled-components';
import { useStaff } from '#client/admin/kit/staffContext.tsx';
import { useOpenLead } from '#client/admin/kit/useSearchParams.ts';
import { useShortcuts, useShortcutSwitch } from '#client/admin/kit/useShortcuts.ts';
import { LeadsTab } from '#client/admin/leads/LeadsTab.tsx';
import { useLeadSearch } from '#client/admin/leads/leadSearch.ts';
import { useNewLeads } from '#client/admin/leads/useNewLeads.ts';
import type { OwnAccountView } from '#client/admin/signIn/OwnAccount.tsx';
import { EndpointBanner } from '#client/admin/webhooks/EndpointBanner.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { WarningLine } from '#client/ui/Alert.tsx';
import { SkipLink } from '#client/ui/Section.tsx';
import { panelId, TabList, TabPanel } from '#client/ui/Tabs.tsx';
import { loadToasts } from '#client/ui/Toast.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import { chrome } from '#shared/brand/chrome.ts';
import { includesRole } from '#shared/admin/staff.ts';
import { paths } from '#shared/pages/paths.ts';
import { Head } from './Head.tsx';
import * as parts from './lazyTabs.tsx';
import { useTab, useTabGroups } from './tabs.ts';
import { useCommands } from './useCommands.tsx';
import { useNothingToUndo, usePaletteKey } from './pageKeys.ts';

const ownViews = ['password', 'secondFactor', 'sessions'] as const satisfies readonly OwnAccountView[];

type Overlay = 'help' | 'palette' | OwnAccountView;

/** The dashboard: its tabs at the side, its head, the current tab, and the drawer of the open lead. */
export function Dashboard({ mark }: { mark: ReactNode }) {
  const { role } = useStaff();
  const canChange = includesRole(role, 'manager');
  const isOwner = includesRole(role, 'owner');
  const groups = useTabGroups(role);
  const [tab, setTab] = useTab(groups);
  const Tab = tab === 'leads' ? null : parts.lazyTabs[tab];
  const [open, setOpen] = useState<Overlay | null>(null);
  const wasOpen = useWasOpen(open);
  const [hasShortcuts, setHasShortcuts] = useShortcutSwitch();
  const openLead = useOpenLead();
  const newLeads = useNewLeads(useLeadSearch());
  const commands = useCommands(setOpen);
  useShortcuts({ '?': () => setOpen('help') }, hasShortcuts);
  usePaletteKey(() => setOpen('palette'));
  useNothingToUndo();
  useEffect(() => parts.preloadParts(), []);
  // What was opened from it stays open.
  const close = (overlay: Overlay): void => setOpen((now) => (now === overlay ? null : now));
  return (
    <Shell>
      <SkipLink href={`#${panelId(tab)}`}>{chrome.skipLink}</SkipLink>
      <TabList
        label={adminCopy.tabs.label}
        moreLabel={adminCopy.tabs.more}
        groups={groups}
        current={tab}
        onChoose={setTab}
      >
        <Home href={paths.home}>{mark}</Home>
      </TabList>
      <Main>
        <OfflineBanner />
        <Head commands={commands} onPalette={() => setOpen('palette')} />
        {isOwner ? <EndpointBanner onOpen={() => setTab('integrations')} /> : null}
        <TabPanel current={tab}>
          {Tab === null ? (
            <LeadsTab {...{ canChange, hasShortcuts, newLeads }} />
          ) : (
            <Tab {...{ canChange, isOwner }} />
          )}
          {openLead.lead === null ? null : (
            <parts.LazyLeadDrawer
              id={openLead.lead}
              canChange={canChange}
              buildHref={openLead.buildHref}
              onClose={openLead.close}
            />
          )}
        </TabPanel>
      </Main>
      {wasOpen.has('help') ? (
        <parts.LazyHelp
          isOpen={open === 'help'}
          onClose={() => close('help')}
          isOn={hasShortcuts}
          onSwitch={setHasShortcuts}
        />
      ) : null}
      {ownViews.map((view) =>
        wasOpen.has(view) ? (
          <parts.LazyOwnAccount key={view} view={view} isOpen={open === view} onClose={() => close(view)} />
        ) : null,
      )}
      {wasOpen.has('palette') ? (
        <parts.LazyCommandPalette
          isOpen={open === 'palette'}
          onClose={() => close('palette')}
          groups={groups}
          onTab={setTab}
          commands={commands}
        />
      ) : null}
    </Shell>
  );
}

/** What was opened once stays rendered: the palette runs what was chosen once it has returned the focus. */
function useWasOpen(open: Overlay | null): ReadonlySet<Overlay> {
  const [opened, setOpened] = useState<ReadonlySet<Overlay>>(new Set());
  if (open !== null && !opened.has(open)) setOpened(new Set([...opened, open]));
  return opened;
}

const Shell = styled.div`
  /* What the bar of the tabs covers of the window. */
  @media (max-width: 63.99em) and (min-height: 30.01em) {
    --tab-bar: 3.625rem;
  }

  ${media.desktop} {
    display: grid;
    grid-template-columns: 12.5rem minmax(0, 1fr);
    align-items: start;
  }
`;

const Main = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.5rem;
  padding: 0 1rem 5rem;

  ${media.tablet} {
    padding-inline: 1.5rem;
  }

  ${media.desktop} {
    padding-block-end: 2rem;
  }
`;

const Home = styled.a`
  color: ${token.ink};

  & > svg {
    inline-size: 7.25rem;
  }
`;

/** Says that nothing is saved while the browser is offline. Its live region is there before, so that it is announced. */
export function OfflineBanner() {
  useEffect(loadToasts, []);
  const isOnline = useSyncExternalStore(subscribe, readOnline, () => true);
  return <output>{isOnline ? null : <WarningLine text={adminCopy.offline} />}</output>;
}

function readOnline(): boolean {
  return navigator.onLine;
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}
