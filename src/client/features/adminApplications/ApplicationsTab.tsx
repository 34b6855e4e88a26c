import { useState } from 'react';
import { styled } from 'styled-components';
import { useNow } from '#client/features/admin/Moment.tsx';
import { PageFooter } from '#client/features/admin/PageFooter.tsx';
import { failureText } from '#client/features/admin/reports.ts';
import { token } from '#client/theme/tokens.ts';
import { Alert } from '#client/ui/Alert.tsx';
import { Button } from '#client/ui/Button.tsx';
import { Select } from '#client/ui/Select.tsx';
import { applicationsPageSize } from '#shared/adminApplications.ts';
import { applicationStatuses } from '#shared/applications.ts';
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
      {data === undefined ? null : (
        <PageFooter
          total={applicationWords.total(data.total)}
          label={applicationWords.pager}
          page={page}
          pages={Math.max(1, Math.ceil(data.total / applicationsPageSize))}
          onPage={setPage}
        />
      )}
    </Room>
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
