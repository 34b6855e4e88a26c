import type { ReactNode } from 'react';
import { useSignOut, useStaff } from '#client/admin/kit/staffContext.tsx';
import { useDownload } from '#client/admin/kit/useDownload.ts';
import { leadsCsvHref, useLeadSearch } from '#client/admin/leads/leadSearch.ts';
import { useLeadTotals } from '#client/admin/leads/useLeads.ts';
import { useRunSync } from '#client/admin/providers/sync/syncRuns.ts';
import {
  providersCsvHref,
  useHasWordPress,
  useProviderCounts,
  useProviderGroup,
} from '#client/admin/providers/useProviders.ts';
import { factorCopy, gateCopy } from '#client/admin/signIn/copy.ts';
import type { OwnAccountView } from '#client/admin/signIn/OwnAccount.tsx';
import {
  CircleQuestionMark,
  Download,
  Lock,
  LogOut,
  MonitorSmartphone,
  RefreshCw,
  Smartphone,
} from '#client/ui/Icon.tsx';
import { listedFilter } from '#shared/admin/adminLeads.ts';
import { adminCopy, helpCopy } from '#shared/admin/copy.ts';
import { includesRole } from '#shared/admin/staff.ts';

export interface Command {
  key: 'sync' | 'exportLeads' | 'exportProviders' | 'help' | OwnAccountView | 'signOut';
  label: string;
  icon: ReactNode;
  /** More about it, in a tooltip. */
  hint?: string | undefined;
  /** It is about the member's own account, in the account menu. */
  isOwn?: boolean;
  /** There is nothing that it could do. */
  isDisabled?: boolean;
  /** It would explain why it does nothing. */
  isGray?: boolean;
  run: () => void;
}

/** What the dashboard's head and its command palette offer on every tab. */
export function useCommands(open: (overlay: 'help' | OwnAccountView) => void): Command[] {
  const { role, email } = useStaff();
  const signOut = useSignOut();
  const search = useLeadSearch();
  const { found, foundText } = useLeadTotals(search);
  const counts = useProviderCounts();
  const [group] = useProviderGroup();
  const sync = useRunSync();
  const hasWordPress = useHasWordPress();
  const download = useDownload();
  return [
    ...(includesRole(role, 'manager')
      ? [
          {
            key: 'sync' as const,
            label: sync.isPending ? adminCopy.sync.busy : adminCopy.sync.start,
            icon: <RefreshCw />,
            hint: hasWordPress === false ? adminCopy.sync.notConfigured : undefined,
            isGray: sync.isPending || hasWordPress === false,
            // Without WordPress, the server says why.
            run: () => (sync.isPending ? undefined : sync.mutate({})),
          },
        ]
      : []),
    {
      key: 'exportLeads',
      label: adminCopy.exportLeads,
      icon: <Download />,
      hint: adminCopy.exportHint(foundText),
      isDisabled: found === 0,
      run: () => download(leadsCsvHref(listedFilter(search.filter))),
    },
    {
      key: 'exportProviders',
      label: adminCopy.exportProviders,
      icon: <Download />,
      isDisabled: (counts?.[group] ?? 0) === 0,
      run: () => download(providersCsvHref(group)),
    },
    { key: 'help', label: helpCopy.open, icon: <CircleQuestionMark />, run: () => open('help') },
    // The shared password is changed on the server.
    ...(email === null
      ? []
      : [
          {
            key: 'password' as const,
            label: gateCopy.changePassword,
            icon: <Lock />,
            isOwn: true,
            run: () => open('password'),
          },
        ]),
    {
      key: 'sessions',
      label: gateCopy.sessions,
      icon: <MonitorSmartphone />,
      isOwn: true,
      run: () => open('sessions'),
    },
    {
      key: 'secondFactor',
      label: factorCopy.title,
      icon: <Smartphone />,
      isOwn: true,
      run: () => open('secondFactor'),
    },
    { key: 'signOut', label: gateCopy.signOut, icon: <LogOut />, isOwn: true, run: signOut },
  ];
}
