import { type ReactNode, useEffect, useId, useState, useSyncExternalStore } from 'react';
import { styled } from 'styled-components';
import { useSearchParams } from 'wouter';
import { ApplicationsTab } from '#client/admin/applications/ApplicationsTab.tsx';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Row } from '#client/admin/kit/layout.tsx';
import { useStaff } from '#client/admin/kit/staffContext.tsx';
import { useDownload } from '#client/admin/kit/useDownload.ts';
import { useOpenLead } from '#client/admin/kit/useSearchParams.ts';
import { useShortcuts, useShortcutSwitch } from '#client/admin/kit/useShortcuts.ts';
import { LeadsTab } from '#client/admin/leads/LeadsTab.tsx';
import { LeadDrawer } from '#client/admin/leads/drawer/LeadDrawer.tsx';
import { leadsCsvHref, useLeadSearch } from '#client/admin/leads/leadSearch.ts';
import { useLeadTotals } from '#client/admin/leads/useLeads.ts';
import { useNewLeads } from '#client/admin/leads/useNewLeads.ts';
import { ProvidersTab } from '#client/admin/providers/ProvidersTab.tsx';
import { useRunSync } from '#client/admin/providers/sync/syncRuns.ts';
import {
  providersCsvHref,
  useHasWordPress,
  useProviderCounts,
  useProviderGroup,
} from '#client/admin/providers/useProviders.ts';
import { AuditTab } from '#client/admin/settings/AuditTab.tsx';
import { ClaimsTab } from '#client/admin/settings/ClaimsTab.tsx';
import { TeamTab } from '#client/admin/settings/TeamTab.tsx';
import { TokensTab } from '#client/admin/settings/TokensTab.tsx';
import { ownerTabs } from '#client/admin/signIn/copy.ts';
import { EndpointBanner } from '#client/admin/webhooks/EndpointBanner.tsx';
import { token } from '#client/theme/tokens.ts';
import { WarningLine } from '#client/ui/Alert.tsx';
import { Button, IconButton } from '#client/ui/Button.tsx';
import { Download, Keyboard, RefreshCw } from '#client/ui/Icon.tsx';
import { type Tab, Tabs } from '#client/ui/Tabs.tsx';
import { loadToasts } from '#client/ui/Toast.tsx';
import { listedFilter } from '#shared/admin/adminLeads.ts';
import { adminCopy, shortcutCopy } from '#shared/admin/copy.ts';
import { leadDetailCopy } from '#shared/admin/leadDetailCopy.ts';
import { includesRole, type StaffRole } from '#shared/admin/staff.ts';
import { dashboardTitle } from '#shared/pages/paths.ts';
import { ShortcutHelp } from './ShortcutHelp.tsx';
import { LazyDeliveries, LazyInsights, LazyUnsentMail, LazyWebhooks } from './lazyTabs.tsx';

type TabKey =
  | 'leads'
  | 'providers'
  | 'applications'
  | 'insights'
  | 'deliveries'
  // Unsent mail: the name that links of 1.0 use.
  | 'outbox'
  | (typeof ownerTabs)[number]['key'];

function tabKeys({ isOwner, canChange, hasUnsentMail }: Access): readonly [TabKey, ...TabKey[]] {
  return [
    'leads',
    'providers',
    'applications',
    'insights',
    'deliveries',
    ...(hasUnsentMail ? (['outbox'] as const) : []),
    ...(isOwner ? ownerTabs.map(({ key }) => key) : canChange ? (['team', 'claims'] as const) : []),
  ];
}

interface Access {
  isOwner: boolean;
  canChange: boolean;
  /** Messages go to a folder, and this role may read it. */
  hasUnsentMail: boolean;
}

/** The dashboard: its title and actions, the tabs, and the drawer of the open lead. */
export function Dashboard({ actions }: { actions?: ReactNode }) {
  const { role } = useStaff();
  const canChange = includesRole(role, 'manager');
  const access = {
    isOwner: includesRole(role, 'owner'),
    canChange,
    // False also for staff who may not read it.
    hasUnsentMail: adminApi.admin.unsentMail.list.useQuery({}, { enabled: canChange }).data?.inUse ?? false,
  };
  const [tab, setTab] = useTab(tabKeys(access));
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const [hasShortcuts, setHasShortcuts] = useShortcutSwitch();
  const tabs = useTabs(access);
  const openLead = useOpenLead();
  const newLeads = useNewLeads(useLeadSearch());
  useShortcuts({ '?': () => setIsHelpOpen(true) }, hasShortcuts);
  return (
    <Panel>
      <OfflineBanner />
      <TitleRow>
        <Title>{dashboardTitle}</Title>
        <Actions role={role}>
          <IconButton type="button" aria-label={shortcutCopy.open} onClick={() => setIsHelpOpen(true)}>
            <Keyboard />
          </IconButton>
          {actions}
        </Actions>
      </TitleRow>
      {access.isOwner ? <EndpointBanner onOpen={() => setTab('integrations')} /> : null}
      <Tabs label={adminCopy.tabs.label} tabs={tabs} current={tab} onChoose={setTab}>
        {tab === 'leads' ? <LeadsTab {...{ canChange, hasShortcuts, newLeads }} /> : null}
        {tab === 'providers' ? <ProvidersTab canChange={canChange} /> : null}
        {tab === 'applications' ? <ApplicationsTab canChange={canChange} /> : null}
        {tab === 'insights' ? <LazyInsights /> : null}
        {tab === 'deliveries' ? <LazyDeliveries /> : null}
        {tab === 'outbox' ? <LazyUnsentMail /> : null}
        {tab === 'team' ? <TeamTab isOwner={access.isOwner} /> : null}
        {tab === 'tokens' ? <TokensTab /> : null}
        {tab === 'integrations' ? <LazyWebhooks /> : null}
        {tab === 'claims' ? <ClaimsTab isOwner={access.isOwner} /> : null}
        {tab === 'audit' ? <AuditTab /> : null}
        {openLead.lead === null ? null : (
          <LeadDrawer
            id={openLead.lead}
            canChange={canChange}
            buildHref={openLead.buildHref}
            onClose={openLead.close}
          />
        )}
      </Tabs>
      <ShortcutHelp
        isOpen={isHelpOpen}
        onClose={() => setIsHelpOpen(false)}
        isOn={hasShortcuts}
        onSwitch={setHasShortcuts}
      />
    </Panel>
  );
}

/** The open tab, kept in the URL; the first is the default. The other tabs' parameters stay. */
function useTab(keys: readonly [TabKey, ...TabKey[]]): [TabKey, (key: TabKey) => void] {
  const [params, setParams] = useSearchParams();
  const [first] = keys;
  const current = keys.find((key) => key === params.get('tab')) ?? first;
  function choose(key: TabKey): void {
    setParams((now) => {
      const next = new URLSearchParams(now);
      next.delete('lead');
      if (key === first) next.delete('tab');
      else next.set('tab', key);
      return next;
    });
  }
  return [current, choose];
}

/** Of the team's tab, managers see only the list of suppressions. */
const managerTabs = [
  { key: 'team', label: leadDetailCopy.suppressed },
  ...ownerTabs.filter(({ key }) => key === 'claims'),
] as const;

/** The tabs, with the number of leads and providers once it is loaded. */
function useTabs({ isOwner, canChange, hasUnsentMail }: Access): Tab<TabKey>[] {
  const { all } = useLeadTotals(useLeadSearch());
  const counts = useProviderCounts();
  const copy = adminCopy.tabs;
  const providers = counts === null ? null : (counts.active + counts.inactive).toLocaleString('en-US');
  return [
    { key: 'leads', label: all === null ? copy.leads : copy.withCount(copy.leads, all) },
    {
      key: 'providers',
      label: providers === null ? copy.providers : copy.withCount(copy.providers, providers),
    },
    { key: 'applications', label: copy.applications },
    { key: 'insights', label: copy.insights },
    { key: 'deliveries', label: copy.deliveries },
    ...(hasUnsentMail ? [{ key: 'outbox' as const, label: copy.unsentMail }] : []),
    ...(isOwner ? ownerTabs : canChange ? managerTabs : []),
  ];
}

/** Sync, and exports of the filtered leads and of the chosen group of providers. */
function Actions({ role, children }: { role: StaffRole; children: ReactNode }) {
  const search = useLeadSearch();
  const { found, foundText } = useLeadTotals(search);
  const counts = useProviderCounts();
  const [group] = useProviderGroup();
  const sync = useRunSync();
  const hasWordPress = useHasWordPress();
  const download = useDownload();
  const hintId = useId();
  return (
    <Row>
      {includesRole(role, 'manager') ? (
        <Button
          size="small"
          variant={hasWordPress === true ? 'primary' : 'secondary'}
          title={hasWordPress === false ? adminCopy.sync.notConfigured : undefined}
          aria-disabled={sync.isPending || hasWordPress === false}
          onClick={() => (sync.isPending ? undefined : sync.mutate({}))}
        >
          <RefreshCw />
          {sync.isPending ? adminCopy.sync.busy : adminCopy.sync.start}
        </Button>
      ) : null}
      <ActionButton
        disabled={found === 0}
        title={adminCopy.exportHint(foundText)}
        aria-describedby={hintId}
        onClick={() => download(leadsCsvHref(listedFilter(search.filter)))}
      >
        <Download />
        {adminCopy.exportLeads}
      </ActionButton>
      <ActionButton
        disabled={(counts?.[group] ?? 0) === 0}
        aria-describedby={hintId}
        onClick={() => download(providersCsvHref(group))}
      >
        <Download />
        {adminCopy.exportProviders}
      </ActionButton>
      {children}
      <Hint id={hintId}>{adminCopy.spreadsheetHint}</Hint>
    </Row>
  );
}

const Panel = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.75rem;
  padding-block-start: 1.25rem;
`;

const TitleRow = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.75rem 1.5rem;
`;

const Title = styled.h1`
  font-size: ${token.title};
`;

/** On a line of its own, and never wider than the buttons. */
const Hint = styled.p`
  inline-size: 0;
  min-inline-size: 100%;
  color: ${token.muted};
  font-size: 0.8125rem;
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
