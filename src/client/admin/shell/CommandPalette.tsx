import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { useLocation, useSearchParams } from 'wouter';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { useNow } from '#client/admin/kit/RelativeTime.tsx';
import { useSettled } from '#client/admin/kit/listHooks.ts';
import { failureText } from '#client/admin/kit/reports.ts';
import { useOpenLead } from '#client/admin/kit/useSearchParams.ts';
import { countText, inLine, inMenu, useWorklist, views } from '#client/admin/leads/leadSearch.ts';
import { buildLeadsHref } from '#client/admin/providers/leadsHref.ts';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Inbox, MapPin, UserRound } from '#client/ui/Icon.tsx';
import { SearchList, type SearchOption } from '#client/ui/SearchList.tsx';
import { focusPanel, type TabGroup } from '#client/ui/Tabs.tsx';
import { listedFilter } from '#shared/admin/adminLeads.ts';
import { type ProviderGroup, providerGroups } from '#shared/admin/adminProviders.ts';
import { paletteCopy as copy } from '#shared/admin/copy.ts';
import { viewsCopy } from '#shared/admin/leadCopy.ts';
import type { TabKey } from './tabs.ts';
import type { Command } from './useCommands.tsx';

interface Entry extends SearchOption {
  run: () => void;
}

interface CommandPaletteProps {
  isOpen: boolean;
  onClose: () => void;
  groups: readonly TabGroup<TabKey>[];
  onTab: (key: TabKey) => void;
  commands: readonly Command[];
}

/** Finds tabs, views of the leads, actions, leads and providers from any tab, by the keyboard. */
export function CommandPalette({ isOpen, onClose, ...content }: CommandPaletteProps) {
  const chosen = useRef<() => void>(null);
  // After the dialog has returned the focus: what it opens returns the focus to the same place.
  useEffect(() => {
    if (isOpen) return;
    const run = chosen.current;
    chosen.current = null;
    run?.();
  }, [isOpen]);
  return (
    <Dialog open={isOpen} onClose={onClose} title={copy.open} isAtTop>
      <Content
        {...content}
        onPick={({ run }) => {
          chosen.current = run;
          onClose();
        }}
      />
    </Dialog>
  );
}

interface ContentProps extends Pick<CommandPaletteProps, 'groups' | 'onTab' | 'commands'> {
  onPick: (entry: Entry) => void;
}

/** Rendered while the dialog is open. */
function Content({ groups, onTab, commands, onPick }: ContentProps) {
  const [text, setText] = useState('');
  const wanted = text.trim();
  const found = useFound(wanted);
  const viewEntries = useViews(wanted !== '');
  const entries: Entry[] = [
    ...groups
      .flatMap(({ tabs }) => tabs)
      .map(({ key, label }) => ({
        id: `tab ${key}`,
        label,
        group: copy.groups.tabs,
        run: () => {
          onTab(key);
          showTop();
        },
      })),
    ...viewEntries,
    ...commands
      .filter(({ isDisabled }) => isDisabled !== true)
      .map(({ key, label, icon, hint, run }) => ({
        id: key,
        label,
        icon,
        note: hint,
        group: copy.groups.actions,
        run,
      })),
  ];
  const own = entries.filter(({ label }) => matches(label, wanted));
  // Enter picks what is first, and that is known before leads and providers are found.
  const isCurrent = !found.isSearching || own.length > 0;
  const options = [...own, ...(found.isSearching && own.length > 0 ? [] : found.entries)];
  return (
    <Form onSubmit={(event) => event.preventDefault()}>
      <SearchList
        label={copy.label}
        text={text}
        onType={setText}
        options={options}
        isCurrent={isCurrent}
        isFirstActive
        keepsEnter
        message={found.message ?? (options.length === 0 ? copy.none : null)}
        onPick={onPick}
      />
    </Form>
  );
}

/** Moves the focus and the page to the top of what was chosen. */
function showTop(): void {
  focusPanel();
  window.scrollTo({ top: 0 });
}

/** The fixed filters of the leads, or those that have leads. */
function useViews(areEmptyShown: boolean): Entry[] {
  const { data } = useWorklist(useNow());
  const [, navigate] = useLocation();
  return (['all', ...inLine, ...inMenu] as const).flatMap((view) => {
    const count = view === 'all' ? null : countText(data, view);
    if (view !== 'all' && !areEmptyShown && (count === null || count === '0')) return [];
    return {
      id: `view ${view}`,
      label: view === 'all' ? copy.allLeads : viewsCopy.names[view],
      note: count ?? undefined,
      group: copy.groups.views,
      run: () => {
        navigate(buildLeadsHref(views[view]));
        showTop();
      },
    };
  });
}

/** Whether each word begins a word of the label. */
function matches(label: string, text: string): boolean {
  const words = label.toLowerCase().split(' ');
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

/** Shorter texts would find almost everything. */
const searchLengthMin = 2;
const leadsMax = 8;
const providersMax = 4;
const applicationsMax = 4;

interface Found {
  entries: Entry[];
  /** The entries aren't those for the text. */
  isSearching: boolean;
  message: string | null;
}

/** Leads, providers and applications that match a text. */
function useFound(text: string): Found {
  const settled = useSettled(text);
  const [, navigate] = useLocation();
  const [, setParams] = useSearchParams();
  const { buildHref } = useOpenLead();
  const options = { enabled: settled.length >= searchLengthMin, placeholderData: keepPreviousData };
  const leads = adminApi.admin.leads.list.useQuery(
    { ...listedFilter({ search: settled }), limit: leadsMax },
    options,
  );
  const active = useProviders(settled, 'active');
  const inactive = useProviders(settled, 'inactive');
  const applications = adminApi.admin.applications.list.useQuery(
    { search: settled, limit: applicationsMax },
    options,
  );
  if (text.length < searchLengthMin) return { entries: [], isSearching: false, message: null };
  const queries = [leads, active, inactive, applications];
  const error = queries.find((query) => query.error !== null)?.error;
  if (error !== undefined)
    return { entries: [], isSearching: false, message: failureText(error, copy.failed) };
  const isSearching = settled !== text || queries.some(({ isFetching }) => isFetching);
  const show = (tab: TabKey, opened: 'provider' | 'application', id: number): void => {
    setParams((now) => {
      const next = new URLSearchParams(now);
      for (const open of ['lead', 'provider', 'application', 'form']) next.delete(open);
      next.set('tab', tab);
      next.set(opened, String(id));
      return next;
    });
    showTop();
  };
  return {
    entries: [
      ...(leads.data?.leads ?? []).map(({ id, first_name, last_name, phone, zip_code }) => ({
        id: `lead ${id}`,
        label: `${first_name} ${last_name}`,
        note: `${phone} · ${zip_code}`,
        icon: <UserRound />,
        group: copy.groups.leads,
        run: () => navigate(buildHref(id)),
      })),
      ...providerGroups.flatMap(
        (group) =>
          (group === 'active' ? active : inactive).data?.providers.map(({ id, name, zipCode }) => ({
            id: `provider ${id}`,
            label: name,
            note: zipCode,
            icon: <MapPin />,
            group: copy.groups.providers,
            run: () => show('providers', 'provider', id),
          })) ?? [],
      ),
      ...(applications.data?.applications ?? []).map(({ id, practice_name, contact_name, zip_code }) => ({
        id: `application ${id}`,
        label: practice_name,
        note: `${contact_name} · ${zip_code}`,
        icon: <Inbox />,
        group: copy.groups.applications,
        run: () => show('applications', 'application', id),
      })),
    ],
    isSearching,
    message: isSearching ? copy.searching : null,
  };
}

function useProviders(search: string, status: ProviderGroup) {
  return adminApi.admin.providers.list.useQuery(
    { search, status, limit: providersMax },
    { enabled: search.length >= searchLengthMin, placeholderData: keepPreviousData },
  );
}

/** As wide as the dialog. */
const Form = styled.form`
  display: grid;
  margin: -0.75rem -1.5rem -1.5rem;
`;
