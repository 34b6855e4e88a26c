import { useSearchParams } from 'wouter';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { useStaff } from '#client/admin/kit/staffContext.tsx';
import { useLeadSearch } from '#client/admin/leads/leadSearch.ts';
import { useLeadTotals } from '#client/admin/leads/useLeads.ts';
import { useProviderCounts } from '#client/admin/providers/useProviders.ts';
import { ownerTabs } from '#client/admin/signIn/copy.ts';
import { ChartColumn, Inbox, MapPin, UserRound } from '#client/ui/Icon.tsx';
import type { TabGroup } from '#client/ui/Tabs.tsx';
import { waitingText } from '#shared/admin/alerts.ts';
import { adminCopy } from '#shared/admin/copy.ts';
import { leadDetailCopy } from '#shared/admin/leadDetailCopy.ts';
import { includesRole, type StaffRole } from '#shared/admin/staff.ts';

export type TabKey =
  | 'leads'
  | 'providers'
  | 'applications'
  | 'insights'
  | 'deliveries'
  // Unsent mail: the name that links of 1.0 use.
  | 'outbox'
  | (typeof ownerTabs)[number]['key'];

/** Of the team's tab, managers see only the list of suppressions. */
const managerTabs = [
  { key: 'team', label: leadDetailCopy.suppressed },
  ...ownerTabs.filter(({ key }) => key === 'claims'),
] as const;

/** The tabs of a role in their groups, with what each counts once it is loaded. */
export function useTabGroups(role: StaffRole): TabGroup<TabKey>[] {
  const canChange = includesRole(role, 'manager');
  const { all } = useLeadTotals(useLeadSearch());
  const counts = useProviderCounts();
  const hasNoMail = useHasNoMail();
  const { applications, deliveries } = adminApi.admin.alerts.list.useQuery().data?.waiting ?? {};
  const copy = adminCopy.tabs;
  const providers = counts === null ? null : (counts.active + counts.inactive).toLocaleString('en-US');
  return [
    {
      label: copy.groups.work,
      tabs: [
        { key: 'leads', label: copy.leads, count: copy.count(all), Icon: UserRound },
        {
          key: 'applications',
          label: copy.applications,
          count: waitingText(applications),
          Icon: Inbox,
        },
        { key: 'providers', label: copy.providers, count: copy.count(providers), Icon: MapPin },
      ],
    },
    { label: null, tabs: [{ key: 'insights', label: copy.insights, Icon: ChartColumn }] },
    {
      label: copy.groups.system,
      isFolded: true,
      tabs: [
        {
          key: 'deliveries',
          label: copy.deliveries,
          count: copy.failed(waitingText(deliveries)),
          isUrgent: true,
        },
        ...(hasNoMail ? [{ key: 'outbox' as const, label: copy.unsentMail }] : []),
        ...(includesRole(role, 'owner') ? ownerTabs : canChange ? managerTabs : []),
      ],
    },
  ];
}

/** Whether no email is sent. False also for viewers, who may not read what stays. */
export function useHasNoMail(): boolean {
  const canChange = includesRole(useStaff().role, 'manager');
  return adminApi.admin.unsentMail.list.useQuery({}, { enabled: canChange }).data?.inUse === true;
}

const firstTab: TabKey = 'leads';

/** The open tab, kept in the URL. The other tabs' parameters stay. */
export function useTab(groups: readonly TabGroup<TabKey>[]): [TabKey, (key: TabKey) => void] {
  const [params, setParams] = useSearchParams();
  const wanted = params.get('tab');
  const current = groups.flatMap(({ tabs }) => tabs).find(({ key }) => key === wanted)?.key ?? firstTab;
  function choose(key: TabKey): void {
    setParams((now) => {
      const next = new URLSearchParams(now);
      for (const open of ['lead', 'application', 'provider', 'form']) next.delete(open);
      if (key === firstTab) next.delete('tab');
      else next.set('tab', key);
      return next;
    });
  }
  return [current, choose];
}
