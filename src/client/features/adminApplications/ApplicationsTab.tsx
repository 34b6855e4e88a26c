import { useState } from 'react';
import { styled } from 'styled-components';
import { useNow } from '#client/features/admin/Moment.tsx';
import { failureText } from '#client/features/admin/reports.ts';
import { token } from '#client/theme/tokens.ts';
import { Alert } from '#client/ui/Alert.tsx';
import { Button } from '#client/ui/Button.tsx';
import { Select } from '#client/ui/Select.tsx';
import { applicationsPageSize } from '#shared/adminApplications.ts';
import { applicationStatuses } from '#shared/applications.ts';
import { leadWords } from '#shared/adminLeadWords.ts';
import { applicationWords } from '#shared/adminProviderWords.ts';
import { adminMessages, adminWords } from '#shared/adminWords.ts';
import { ApplicationTable } from './ApplicationTable.tsx';
import { type ApplicationStatus, useApplicationList } from './useApplications.ts';

const statusOptions = [
  { value: '', label: applicationWords.all },
  ...applicationStatuses.map((value) => ({ value, label: applicationWords.statuses[value] })),
];

/** Practices that want to become providers. */
export function ApplicationsTab({ canChange }: { canChange: boolean }) {
  const [status, setStatus] = useState<ApplicationStatus | undefined>(undefined);
  const [page, setPage] = useState(1);
  const { data, error, isFetching, refetch } = useApplicationList(status, page);
  const now = useNow();
  return (
    <Room>
      <StatusFilter
        label={applicationWords.filter}
        options={statusOptions}
        value={status ?? ''}
        onChoose={(value) => {
          setStatus(applicationStatuses.find((one) => one === value));
          setPage(1);
        }}
      />
      {error === null ? null : (
        <Alert title={adminWords.error} message={failureText(error, adminMessages.applicationsFailed)}>
          <Button variant="secondary" size="small" onClick={() => void refetch()}>
            {adminWords.retry}
          </Button>
        </Alert>
      )}
      {data === undefined && error !== null ? null : data?.applications.length === 0 ? (
        <None>{status === undefined ? applicationWords.empty : applicationWords.emptyFiltered}</None>
      ) : (
        <ApplicationTable
          applications={data?.applications ?? null}
          isRefreshing={isFetching}
          now={now}
          canChange={canChange}
        />
      )}
      {data === undefined ? null : <Footer total={data.total} page={page} onPage={setPage} />}
    </Room>
  );
}

function Footer({ total, page, onPage }: { total: number; page: number; onPage: (page: number) => void }) {
  const pages = Math.max(1, Math.ceil(total / applicationsPageSize));
  return (
    <Bar>
      <output>{applicationWords.total(total)}</output>
      <Pages aria-label={applicationWords.pager}>
        <Button variant="secondary" size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          {leadWords.previous}
        </Button>
        <output>{leadWords.page(page, pages)}</output>
        <Button variant="secondary" size="small" disabled={page >= pages} onClick={() => onPage(page + 1)}>
          {leadWords.next}
        </Button>
      </Pages>
    </Bar>
  );
}

const Room = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1rem;
`;

const StatusFilter = styled(Select)`
  inline-size: 12rem;
  max-inline-size: 100%;
`;

const None = styled.p`
  padding: 3.5rem 1.5rem;
  border: 1px dashed ${token.inputLine};
  border-radius: ${token.radius};
  color: ${token.muted};
  text-align: center;
`;

const Bar = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.5rem 1.5rem;
  color: ${token.muted};
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
`;

const Pages = styled.nav`
  display: flex;
  align-items: center;
  gap: 0.75rem;
`;
