import { Link } from 'wouter';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { Facts } from '#client/admin/kit/Facts.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { RelativeTime, useNow } from '#client/admin/kit/RelativeTime.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { LinkLine } from '#client/admin/kit/layout.tsx';
import { useOpenLead } from '#client/admin/kit/useSearchParams.ts';
import { StackedTable } from '#client/ui/Table.tsx';
import { type AdminLead, listedFilter } from '#shared/admin/adminLeads.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { stageText } from '#shared/admin/leadStage.ts';
import { buildLeadsHref } from '../leadsHref.ts';
import { pageCopy } from './copy.ts';

const copy = pageCopy.leads;
const leadsShown = 10;

/** The newest leads of a provider, with a link to all of them. */
export function ProviderLeads({ providerId }: { providerId: number }) {
  const { data, error, refetch } = adminApi.admin.leads.list.useQuery({
    ...listedFilter({ providerId }),
    limit: leadsShown,
  });
  const { buildHref } = useOpenLead();
  const now = useNow();
  const total = data?.total ?? 0;
  return (
    <Facts title={copy.title}>
      <LoadFailure error={error} fallback={adminMessages.leadsFailed} onRetry={() => void refetch()} />
      {error === null ? (
        <DataTable
          caption={copy.title}
          columns={leadColumns(buildHref, now)}
          rows={data?.leads ?? null}
          empty={<p>{copy.none}</p>}
          as={StackedTable}
        />
      ) : null}
      {total === 0 ? null : (
        <LinkLine>
          <Link href={buildLeadsHref({ providerId })}>{copy.all(total)}</Link>
        </LinkLine>
      )}
    </Facts>
  );
}

function leadColumns(buildHref: (id: number) => string, now: number): Column<AdminLead>[] {
  return [
    {
      key: 'name',
      header: copy.columns.name,
      isRowHeader: true,
      cell: ({ id, first_name, last_name }) => (
        <Link href={buildHref(id)}>{`${first_name} ${last_name}`}</Link>
      ),
    },
    { key: 'zip', header: copy.columns.zip, cell: ({ zip_code }) => zip_code },
    { key: 'stage', header: copy.columns.stage, cell: ({ stage }) => stageText(stage, now) },
    {
      key: 'date',
      header: copy.columns.date,
      cell: ({ created_at }) => <RelativeTime iso={created_at} now={now} isShort />,
    },
  ];
}
