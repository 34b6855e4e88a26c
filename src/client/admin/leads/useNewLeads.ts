import { useEffect, useEffectEvent, useState } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { newLeadsMax } from '#shared/admin/adminLeads.ts';
import { newLeadsCopy } from '#shared/admin/leadCopy.ts';
import type { LeadSearchControl } from './leadSearch.ts';
import { followNewLeads, type StreamNews, type StreamState } from './newLeadStream.ts';
import { listInput, useLeadList } from './useLeads.ts';

const askMs = 30_000;
/** A shorter break is said to nobody. */
const lostMs = 5_000;

export interface NewLeads {
  /** Leads that arrived after the list was loaded, at most `newLeadsMax`. */
  count: number;
  /** News doesn't arrive. */
  isLost: boolean;
  /** Loads the list and the counts again. */
  load: () => void;
}

/** The leads that the open list doesn't have yet. Their number stands in front of the document's title. */
export function useNewLeads(control: LeadSearchControl): NewLeads {
  const utils = adminApi.useUtils();
  const { data } = useLeadList(listInput(control));
  const [arrived, setArrived] = useState<ReadonlySet<number>>(new Set());
  const [state, setState] = useState<StreamState>('live');
  /** Whether the server answered the latest question. */
  const [isAnswered, setIsAnswered] = useState(false);
  const newest = data === undefined ? null : (control.upTo ?? data.newestId ?? 0);
  const count = newest === null ? 0 : Math.min(newLeadsMax, [...arrived].filter((id) => id > newest).length);

  const add = (ids: readonly number[]): void => setArrived((now) => new Set([...now, ...ids]));

  const ask = useEffectEvent(async (): Promise<void> => {
    if (newest === null) return;
    try {
      const input = { after: newest };
      const options = { staleTime: 0, trpc: { context: { isBackground: true } } };
      add((await utils.admin.leads.newIds.fetch(input, options)).ids);
      setIsAnswered(true);
    } catch {
      setIsAnswered(false);
    }
  });
  const onNews = useEffectEvent((news: StreamNews): void => {
    if (news === 'gap') void ask();
    else if ('ids' in news) add(news.ids);
    else {
      setState(news.state);
      if (news.state === 'lost') setIsAnswered(false);
      // Each further failure says so again, for tabs that were opened since.
      if (news.state === 'blocked' && state !== 'blocked') void ask();
    }
  });

  const isLoaded = newest !== null;
  useEffect(() => (isLoaded ? followNewLeads((news) => onNews(news)) : undefined), [isLoaded]);
  useEffect(() => {
    if (state !== 'blocked') return undefined;
    const timer = setInterval(() => (document.visibilityState === 'visible' ? void ask() : undefined), askMs);
    return () => clearInterval(timer);
  }, [state]);
  useTitleCount(count);

  return {
    count,
    isLost: useIsLasting(state === 'lost' || (state === 'blocked' && !isAnswered)),
    load: () => {
      if (control.page !== 1) control.setPage(1, null);
      const { list, total, worklist } = utils.admin.leads;
      for (const query of [list, total, worklist, utils.admin.alerts.list]) void query.invalidate();
    },
  };
}

/** Whether something has been true for `lostMs`. */
function useIsLasting(isTrue: boolean): boolean {
  const [isLasting, setIsLasting] = useState(false);
  useEffect(() => {
    if (!isTrue) return undefined;
    const timer = setTimeout(() => setIsLasting(true), lostMs);
    return () => {
      clearTimeout(timer);
      setIsLasting(false);
    };
  }, [isTrue]);
  return isTrue && isLasting;
}

function useTitleCount(count: number): void {
  useEffect(() => {
    if (count === 0) return undefined;
    const { title } = document;
    document.title = newLeadsCopy.title(count, title);
    return () => {
      document.title = title;
    };
  }, [count]);
}
