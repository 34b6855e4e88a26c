import { applicationStatuses } from '#shared/applications/applications.ts';

export type ApplicationStatus = (typeof applicationStatuses)[number];

/** What of the applications the address says to show. */
export interface ApplicationView {
  /** Left out: all of them. */
  status: ApplicationStatus | undefined;
  page: number;
}

/** Names of their own: the leads' filters stand in the same address (adminLeads/leadAddress.ts). */
const keys = { status: 'applicationStatus', page: 'applicationPage' } as const;
const pageMax = 1_000_000;

/** Whatever the address can't mean counts as left out. */
export function readView(params: URLSearchParams): ApplicationView {
  const text = params.get(keys.page) ?? '';
  const page = /^[1-9]\d*$/.test(text) ? Number(text) : 1;
  return {
    status: applicationStatuses.find((status) => status === params.get(keys.status)),
    page: page <= pageMax ? page : 1,
  };
}

/** The address's query with a view in it; what else stands there stays, and what is usual is left out. */
export function writeView(params: URLSearchParams, { status, page }: ApplicationView): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const key of Object.values(keys)) next.delete(key);
  if (status !== undefined) next.set(keys.status, status);
  if (page > 1) next.set(keys.page, String(page));
  return next;
}
