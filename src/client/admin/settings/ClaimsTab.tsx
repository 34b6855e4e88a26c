import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '#client/admin/kit/ActionForm.tsx';
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
import { type AdminClaim, type ProblemReport, problemsPageSize } from '#shared/admin/claims.ts';
import { claimCopy as copy, settingsCopy } from './copy.ts';

/** The brand's claims, which owners can hide, and the problems that visitors report. */
export function ClaimsTab({ isOwner }: { isOwner: boolean }) {
  const claims = adminApi.admin.claims.list.useQuery(undefined, { refetchOnMount: 'always' });
  const [chosen, setChosen] = useState<AdminClaim | null>(null);
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
          columns={claimColumns(isOwner ? setChosen : null)}
          rows={claims.data}
          empty={<Empty>{settingsCopy.never}</Empty>}
        />
      )}
      <ProblemList claims={claims.data ?? []} />
      {chosen === null ? null : <SwitchDialog claim={chosen} onClose={() => setChosen(null)} />}
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
                <Button variant="quiet" aria-label={nameSwitch(claim)} onClick={() => onSwitch(claim)}>
                  {claim.hidden === null ? copy.hide : copy.show}
                </Button>
              </RowActions>
            ),
          },
        ]),
  ];
}

function nameSwitch({ text, hidden }: AdminClaim): string {
  return hidden === null ? copy.hideOf(text) : copy.showOf(text);
}

/** Asks before a claim is hidden or shown. */
function SwitchDialog({ claim, onClose }: { claim: AdminClaim; onClose: () => void }) {
  const setHidden = adminApi.admin.claims.setHidden.useMutation();
  const isHidden = claim.hidden !== null;
  return (
    <ActionDialog
      title={nameSwitch(claim)}
      note={isHidden ? copy.showNote : copy.hideNote}
      submitLabel={isHidden ? copy.show : copy.hide}
      onClose={onClose}
      act={() => setHidden.mutateAsync({ id: claim.id, isHidden: !isHidden })}
      done={() => (isHidden ? copy.shownAgain : copy.hidden)}
    />
  );
}
