import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { Typed } from '#client/admin/kit/BreakAnywhere.tsx';
import { LongText } from '#client/admin/kit/LongText.tsx';
import { PageFooter } from '#client/admin/kit/PageFooter.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { Empty, NameHeader, RowActions, SettingsFrame } from '#client/admin/kit/SettingsFrame.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Muted, Stack } from '#client/admin/kit/layout.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { dayText } from '#client/admin/kit/times.ts';
import { Button } from '#client/ui/Button.tsx';
import {
  type AdminClaim,
  type ClaimHidden,
  type ProblemReport,
  problemsPageSize,
} from '#shared/admin/claims.ts';
import { formCopy } from '#client/admin/kit/copy.ts';
import { claimCopy as copy, settingsCopy } from './copy.ts';

/** The brand's claims, which owners can hide, and the problems that visitors report. */
export function ClaimsTab({ isOwner }: { isOwner: boolean }) {
  const claims = adminApi.admin.claims.list.useQuery(undefined, { refetchOnMount: 'always' });
  const report = {
    done: (_: ClaimHidden, { isHidden }: ClaimHidden) => (isHidden ? copy.hidden : copy.shownAgain),
    failed: formCopy.failed,
  };
  const undo = adminApi.admin.claims.setHidden.useMutation(withReport(report));
  const change = adminApi.admin.claims.setHidden.useMutation(
    withReport({
      ...report,
      undo:
        (_, { id, isHidden }) =>
        () =>
          undo.mutate({ id, isHidden: !isHidden }),
    }),
  );
  const isBusy = change.isPending || undo.isPending;
  const onSwitch = ({ id, hidden }: AdminClaim): void =>
    isBusy ? undefined : change.mutate({ id, isHidden: hidden === null });
  return (
    <SettingsFrame
      lead={copy.lead}
      error={claims.error}
      fallback={settingsCopy.loadFailed.claims}
      isLoading={claims.isLoading}
    >
      {claims.data === undefined ? null : (
        <DataTable
          caption={copy.caption}
          columns={claimColumns(isOwner ? onSwitch : null)}
          rows={claims.data}
          empty={<Empty>{settingsCopy.never}</Empty>}
        />
      )}
      <ProblemList claims={claims.data ?? []} />
    </SettingsFrame>
  );
}

/** What visitors reported and nobody has completed. Nothing while there is none. */
function ProblemList({ claims }: { claims: readonly AdminClaim[] }) {
  const [page, setPage] = useState(1);
  const { data, isFetching } = adminApi.admin.claims.listProblems.useQuery(
    { page },
    { refetchOnMount: 'always', placeholderData: keepPreviousData },
  );
  const complete = adminApi.admin.claims.completeProblem.useMutation(
    withReport({ done: copy.completed, failed: copy.completeFailed, isOneLine: true }),
  );
  if (data === undefined || data.total === 0) return null;
  const pages = Math.ceil(data.total / problemsPageSize);
  // The last report of the last page was completed.
  if (page > pages) setPage(pages);
  return (
    <Stack>
      <DataTable
        caption={copy.problems}
        columns={problemColumns(claims, (id) => (complete.isPending ? undefined : complete.mutate({ id })))}
        rows={data.reports}
        isBusy={isFetching}
        empty={null}
      />
      {pages === 1 ? null : (
        <PageFooter
          total={copy.totalProblems(data.total)}
          label={copy.problemPager}
          page={page}
          pages={pages}
          onPage={setPage}
        />
      )}
    </Stack>
  );
}

function problemColumns(
  claims: readonly AdminClaim[],
  onComplete: (id: number) => void,
): Column<ProblemReport>[] {
  const { problemColumns: headers } = copy;
  return [
    { key: 'at', header: headers.at, cell: ({ created_at: at }) => <Instant iso={at} /> },
    {
      key: 'what',
      header: headers.what,
      cell: ({ id, what, isSuspect }) => (
        <>
          <LongText text={what} of={copy.reportOf(id)} />
          {isSuspect ? <Muted as="div">{copy.suspect}</Muted> : null}
        </>
      ),
    },
    {
      key: 'claim',
      header: headers.claim,
      cell: ({ claim }) => claims.find(({ id }) => id === claim)?.text ?? null,
    },
    { key: 'contact', header: headers.contact, cell: ({ contact }) => <Typed>{contact ?? ''}</Typed> },
    { key: 'host', header: headers.host, cell: ({ host }) => <Typed>{host}</Typed> },
    {
      key: 'actions',
      header: copy.columns.actions,
      isHeaderHidden: true,
      cell: ({ id }) => (
        <RowActions>
          <Button variant="quiet" aria-label={copy.completeOf(id)} onClick={() => onComplete(id)}>
            {copy.complete}
          </Button>
        </RowActions>
      ),
    },
  ];
}

/** `onSwitch`: null for those who may not hide a claim. */
function claimColumns(onSwitch: ((claim: AdminClaim) => void) | null): Column<AdminClaim>[] {
  const { columns } = copy;
  return [
    { key: 'claim', header: columns.claim, isRowHeader: true, Cell: NameHeader, cell: ({ text }) => text },
    {
      key: 'reports',
      header: columns.reports,
      cell: ({ reports }) => (reports === 0 ? null : <strong>{copy.reports(reports)}</strong>),
    },
    {
      key: 'state',
      header: columns.state,
      cell: ({ hidden }) => (hidden === null ? copy.shown : copy.hiddenBy(hidden.by, dayText(hidden.at))),
    },
    ...(onSwitch === null
      ? []
      : [
          {
            key: 'actions',
            header: columns.actions,
            isHeaderHidden: true,
            cell: (claim: AdminClaim) => (
              <RowActions>
                <Button
                  variant="quiet"
                  aria-label={claim.hidden === null ? copy.hideOf(claim.text) : copy.showOf(claim.text)}
                  title={claim.hidden === null ? copy.hideNote : copy.showNote}
                  onClick={() => onSwitch(claim)}
                >
                  {claim.hidden === null ? copy.hide : copy.show}
                </Button>
              </RowActions>
            ),
          },
        ]),
  ];
}
