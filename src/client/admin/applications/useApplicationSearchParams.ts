import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import {
  type ApplicationStatus,
  type ApplicationView,
  readView,
  writeView,
} from './applicationSearchParams.ts';

export interface ApplicationViewControl {
  view: ApplicationView;
  /** From its first page. */
  setStatus: (status: ApplicationStatus | undefined) => void;
  setPage: (page: number) => void;
}

/** Status and page: kept in the address, each change a step of the browser's history. */
export function useApplicationView(): ApplicationViewControl {
  const [params, setParams] = useSearchParams();
  const view = useMemo(() => readView(params), [params]);
  return {
    view,
    setStatus: (status) => setParams((now) => writeView(now, { status, page: 1 })),
    setPage: (page) => setParams((now) => writeView(now, { ...readView(now), page })),
  };
}
